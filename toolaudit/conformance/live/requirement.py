from __future__ import annotations


class ClientUnavailable(RuntimeError):
    """The client can't be asked here, or not safely: `what` is missing, `remedy` says how to get it."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"the client can't be asked: {what}; {remedy}")
        self.what = what
        self.remedy = remedy
