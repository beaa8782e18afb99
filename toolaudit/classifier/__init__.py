"""The auto-mode classifier: two stages, several backends, and verdicts that say what they rest on.

Imported only where a mode needs it; the nouns of a verdict are in `toolaudit.model.verdict`.
"""

from toolaudit.classifier.question import Did, Question, Said
from toolaudit.classifier.stages import Classifier, Opinion, TwoStages

__all__ = ["Classifier", "Did", "Opinion", "Question", "Said", "TwoStages"]
