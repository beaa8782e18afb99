"""An HTTP hook: one POST to a host that was allowed by name, answered within a time and a size, redirected nowhere."""

from __future__ import annotations

import http.client
from collections.abc import Collection
from urllib.parse import urlsplit

from toolaudit.model import Hook
from toolaudit.pipeline.hooks.ran import OUTPUT_BYTES_MAX, SECONDS, Ran


def run(hook: Hook, payload: bytes, hosts: Collection[str]) -> Ran:
    """Sends `payload` where the hook points, if that is one of `hosts`, and reads the answer.

    Hosts are written as in a URL, with a port where there is one: `hooks.example.com`, `127.0.0.1:8080`.
    """
    try:
        parts = urlsplit(hook.command)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return Ran(failure="its URL can't be read")
    place = host if port is None else f"{host}:{port}"
    if parts.scheme not in ("http", "https") or place not in hosts:
        return Ran(failure=f"requests to {place or 'its URL'} are not allowed")
    seconds = hook.seconds if hook.seconds is not None else SECONDS
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(host, port, timeout=seconds)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request("POST", target, payload, {**dict(hook.headers), "Content-Type": "application/json"})
        response = connection.getresponse()
        body = response.read(OUTPUT_BYTES_MAX + 1)
    except TimeoutError:
        return Ran(failure=f"no answer within {seconds:g} seconds")
    except (OSError, http.client.HTTPException, ValueError) as error:
        return Ran(failure=f"the request failed ({type(error).__name__})")
    finally:
        connection.close()
    if len(body) > OUTPUT_BYTES_MAX:
        return Ran(failure=f"it answered more than {OUTPUT_BYTES_MAX:,} bytes")
    if not 200 <= response.status < 300:
        return Ran(failure=f"it answered with status {response.status}")
    return Ran(output=body.decode("utf-8", "replace"))
