"""Recorded sessions, whatever their format, as one stream of calls with what became of them.

`toolaudit.transcripts.reading.read` does the reading; it loads the decoders, so that importing the nouns stays cheap.
"""

from toolaudit.transcripts.problem import INPUT_FAILED, FileRead, Problem, Trouble
from toolaudit.transcripts.recorded import Evidence, Grounds, RecordedCall, RecordedOutcome

__all__ = [
    "INPUT_FAILED",
    "Evidence",
    "FileRead",
    "Grounds",
    "Problem",
    "RecordedCall",
    "RecordedOutcome",
    "Trouble",
]
