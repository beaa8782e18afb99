from __future__ import annotations


class OracleUnavailable(RuntimeError):
    """The execution oracle can't work here: `what` is missing, `remedy` says how to get it."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"the execution oracle is not available: {what}; {remedy}")
        self.what = what
        self.remedy = remedy
