"""The user's own client as yardstick: asked offline, in isolation, with nothing executed.

`measure` is the way in. Each batch of calls gets a chamber of its own (namespaces, a private home and working
directory, a loopback stand-in for the model), in which the client is started once and asked call by call.
"""

from toolaudit.conformance.live.recording import Record, Recording, read_records
from toolaudit.conformance.live.requirement import ClientUnavailable
from toolaudit.conformance.live.run import Client, measure

__all__ = ["Client", "ClientUnavailable", "Record", "Recording", "measure", "read_records"]
