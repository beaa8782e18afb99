"""What toolaudit costs, as ratios to floors that are measured in the same run on the same machine.

Times are processor time of this process or its children, the least of several tries taken in turn with the floor's, so
that other work on the machine counts as little as it can. A ratio travels between machines; a time does not.
"""
