"""Test and audit what a coding agent is allowed to do.

One resolver, many questions: a tool call, a policy and a mode go in; a `Decision` that explains itself comes out.
"""

__version__ = "0.1.0"

CLIENT_VERSION = "2.1.332"
"""The newest version of the client whose decisions were measured; the semantics are those."""
