"""Both sides of a disagreement, as the minimiser asks them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from toolaudit.conformance.cases import Case
from toolaudit.conformance.decide import Decider
from toolaudit.conformance.live import Client, measure
from toolaudit.conformance.minimise import Ask, Decide, Verdict
from toolaudit.conformance.processes import CALLS
from toolaudit.model.versions import Version
from toolaudit.settings import SettingsError


def resolver(version: Version) -> Decide:
    """The resolver, deciding as `version` of the client; each case is the first call of its process."""

    def decide(case: Case) -> Verdict | None:
        try:
            decision, _ = Decider(version).decide(case)
        except SettingsError:
            return None
        return Verdict(str(decision.behavior), decision.reason_type and str(decision.reason_type), decision.why)

    return decide


def client_asker(client: Client, *, jobs: int, complain: Callable[[str], None]) -> Ask:
    """Asks `client` about many cases: shell commands, which run nothing, together; anything else in its own process."""

    def ask(cases: Sequence[Case]) -> Mapping[str, Verdict]:
        commands = [case for case in cases if case.tool == "Bash"]
        others = [case for case in cases if case.tool != "Bash"]
        said: dict[str, Verdict] = {}
        for some, calls in ((commands, CALLS), (others, 1)):
            for records in measure(client, some, calls=calls, jobs=jobs, complain=complain):
                said |= {
                    record.id: Verdict(record.decision, record.reason_type, record.reason or "")
                    for record in records
                    if record.decision != "none"
                }
        return said

    return ask
