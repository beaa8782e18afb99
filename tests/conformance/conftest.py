from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from toolaudit.conformance.live import Client, ClientUnavailable


def pytest_report_header() -> str:
    return f"client under test: {os.environ.get('TOOLAUDIT_CLIENT', 'none (name one in TOOLAUDIT_CLIENT)')}"


@pytest.fixture(scope="session")
def fake_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that plays the client's part."""
    program = tmp_path_factory.mktemp("client") / "client"
    text = Path(__file__).with_name("fake_client.py").read_text()
    program.write_text(f"#!{sys.executable} -S\n{text}")
    program.chmod(0o755)
    return program


@pytest.fixture(scope="session")
def fake(fake_program: Path) -> Client:
    """The fake client in real chambers."""
    return _located(str(fake_program))


@pytest.fixture(scope="session")
def real() -> Client:
    """The client that TOOLAUDIT_CLIENT names."""
    program = os.environ.get("TOOLAUDIT_CLIENT")
    if not program:
        pytest.skip("needs a client: name its program in TOOLAUDIT_CLIENT")
    return _located(program)


def _located(program: str) -> Client:
    try:
        return Client.locate(program, seconds=30)
    except ClientUnavailable as missing:
        if "no namespaces" not in missing.what:
            raise
        pytest.skip(f"needs isolation: {missing}")
