"""The real client as yardstick: the case format, decisions for cases, and how far two sets of decisions agree.

What decides with the resolver is imported by its own name (`toolaudit.conformance.decide`): the processes in which a
client is asked need nothing of the resolver.
"""

from toolaudit.conformance.agreement import Agreement, Compared, Tally, compare
from toolaudit.conformance.cases import BadLine, Case, read_cases

__all__ = ["Agreement", "BadLine", "Case", "Compared", "Tally", "compare", "read_cases"]
