"""The path of a call, from its name to its result.

`decide` says what becomes of a call from stated data; `toolaudit.pipeline.live.run_call` carries one out, and
`toolaudit.pipeline.orchestration.run_calls` those of one message.
"""

from toolaudit.pipeline.run import STEPS, decide, walk

__all__ = ["STEPS", "decide", "walk"]
