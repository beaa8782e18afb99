"""Generated commands, real bash as the judge of what they start, and the questions asked of a policy with them.

Without a compiler, namespaces or a bash that can be preloaded (`toolaudit.fuzz.oracle`), everything else still works;
its results are then not checked against bash, and say so.
"""
