"""Settings that came with a version: before it they say nothing."""

from __future__ import annotations

import pytest

from toolaudit.model import Scope
from toolaudit.model.versions import NEWEST, Version
from toolaudit.settings import load_objects
from toolaudit.settings.known import FIELDS, known_to

KEYS = {
    "block_reads_outside": "blockReadsOutsideWorkingDirectories",
    "block_writes_outside": "blockWritesOutsideWorkingDirectories",
    "deny_instead_of_prompting": "denyInsteadOfPrompting",
}


@pytest.mark.parametrize("field", list(FIELDS))
def test_an_older_client_does_not_know_the_setting(field: str) -> None:
    policy = load_objects({Scope.USER: {"permissions": {KEYS[field]: True}}}, cwd="/srv/app", home="/home/dana")
    assert getattr(policy, field)
    assert not getattr(known_to(policy, Version(2, 1, 240)), field)
    assert getattr(known_to(policy, FIELDS[field].since), field)
    assert known_to(policy, NEWEST) is policy
