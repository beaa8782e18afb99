"""A stand-in for the client, for tests of what surrounds it: speaks both protocols, and decides by the tool's name."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

VERSION = "0.0.1"
BASE = os.environ["ANTHROPIC_BASE_URL"]


def say(**message):
    print(json.dumps(message), flush=True)


def request_model(messages, headers=None, stream=False):
    body = json.dumps({"model": "m", "messages": messages, "tools": [], "stream": stream}).encode()
    request = urllib.request.Request(f"{BASE}/v1/messages", body, headers or {})
    with urllib.request.urlopen(request) as answer:
        return answer.read().decode()


def can_write(path):
    try:
        Path(path, "written-by-a-test").write_text("")
    except OSError:
        return False
    return True


def read(path):
    try:
        return Path(path).read_text()
    except OSError:
        return None


def can_start(path):
    with contextlib.suppress(OSError):
        Path(path).chmod(0o755)
    try:
        subprocess.run([path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    except OSError:
        return False
    return True


def shell(command):
    """What the machine's shell says, as for a hook; the one for commands must do no more than end well."""
    own = subprocess.run([os.environ["CLAUDE_CODE_SHELL"], "-c", command], capture_output=True)
    assert (own.returncode, own.stdout) == (0, b""), own
    ended = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True)
    return [ended.returncode, ended.stdout]


def names(path):
    return sorted(entry.name for entry in Path(path).iterdir())


def look(given):
    """What the client can see and touch."""
    return {
        "arguments": sys.argv[1:],
        "environment": dict(os.environ),
        "directory": str(Path.cwd()),
        "files": {path: read(path) for path in given.get("read", [])},
        "links": {path: str(Path(path).readlink()) for path in given.get("links", [])},
        "writable": [path for path in given.get("write", []) if can_write(path)],
        "listed": {path: names(path) for path in given.get("list", [])},
        "interfaces": [name for _, name in socket.if_nameindex()],
        "shell": [shell(command) for command in given.get("shell", [])],
        "started": [path for path in given.get("start", []) if can_start(path)],
        "processes": sum(name.isdigit() for name in names("/proc")),
    }


def decide(number, tool, given):
    """Says what becomes of a call and returns the tool's result and whether that is an error."""
    if tool == "Ask":
        request = {"subtype": "can_use_tool", "tool_use_id": number, **given}
        say(type="control_request", request_id="r" + number, request=request)
        answer = json.loads(sys.stdin.readline())["response"]
        assert answer["request_id"] == "r" + number
        return answer["response"]["behavior"], True
    if tool == "Deny":
        say(type="system", subtype="permission_denied", tool_use_id=number, **given)
        return "Permission to use it has been denied.", True
    if tool == "Refuse":
        return given["text"], True
    if tool == "Hang":
        time.sleep(600)
    if tool == "Die":
        sys.exit("it died")
    if tool == "Look":
        return json.dumps(look(given)), False
    return "done", False


def main():
    prompt = json.loads(sys.stdin.readline())["message"]["content"]
    say(type="system", subtype="init", claude_code_version=VERSION)
    print("a line that is not JSON", flush=True)
    messages = [{"role": "user", "content": [{"type": "text", "text": "of its own"}, {"type": "text", "text": prompt}]}]
    request_model([{"role": "user", "content": "a title for: " + prompt}])
    request_model(messages, {"X-Claude-Code-Agent-Id": "a"})
    while True:
        [block] = json.loads(request_model(messages))["content"]
        if block["type"] == "text":
            break
        text, is_error = decide(block["id"], block["name"], block["input"])
        result = {"type": "tool_result", "tool_use_id": block["id"], "content": text, "is_error": is_error}
        say(type="user", message={"content": [result]})
        if block["name"] == "End":
            break
    say(type="result")
    time.sleep(600)  # whoever has the result needs no goodbye


main()
