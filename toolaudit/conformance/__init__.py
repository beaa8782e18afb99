"""The real client as yardstick: the case format, decisions for cases, and how far two sets of decisions agree."""

from toolaudit.conformance.agreement import Agreement, Compared, Tally, compare
from toolaudit.conformance.cases import BadLine, Case, read_cases
from toolaudit.conformance.decide import Decider

__all__ = ["Agreement", "BadLine", "Case", "Compared", "Decider", "Tally", "compare", "read_cases"]
