from __future__ import annotations

import pytest

from toolaudit.transcripts.redaction import MASKS, redact

# Built from pieces, so that no scanner takes this table for a leak.
B62 = "Ab3dEf6hIj9lMn2pQr5tUv8x"
HEX = "0123456789abcdef"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("cat /home/alice/.bashrc", "cat /home/[user]/.bashrc"),
        ("/Users/bob", "/Users/[user]"),
        (r"type C:\Users\Bob\x.txt", r"type C:\Users\[user]\x.txt"),
        (r'"C:\\Users\\Bob\\x"', r'"C:\\Users\\[user]\\x"'),
        ("~/.claude/projects/-Users-bob-work/s.jsonl", "~/.claude/projects/-Users-[user]-work/s.jsonl"),
        ("/root/.ssh and /srv/app stay", "/root/.ssh and /srv/app stay"),
        ("git clone https://bob:hunter2@git.example/x", "git clone https://bob:[password]@git.example/x"),
        ("postgres://app:p-w@db/x?y=1", "postgres://app:[password]@db/x?y=1"),
        (f"x sk-ant-api03-{B62} y", "x [anthropic key] y"),
        (f"sk-proj-{B62}", "[api key]"),
        (f"sk_live_{B62}", "[stripe key]"),
        (f"ghp_{B62}", "[github token]"),
        (f"github_pat_{B62}", "[github token]"),
        (f"glpat-{B62}", "[gitlab token]"),
        ("xoxb-" + "1" * 12, "[slack token]"),
        ("https://hooks.slack.com/services/T0/B0/xyz", "https://hooks.slack.com/[slack webhook]"),
        ("AKIA" + "Q" * 16, "[aws key id]"),
        ("AIza" + "x" * 35, "[google key]"),
        (f"npm_{B62}{B62}", "[npm token]"),
        (f"hf_{B62}", "[hugging face token]"),
        (f"eyJ{B62}.{B62}.{B62}", "[json web token]"),
        ("curl -H 'Authorization: Bearer abc.def'", "curl -H 'Authorization: Bearer [credentials]'"),
        ("Authorization: Basic dXNlcg==", "Authorization: Basic [credentials]"),
        ("bearer abcdefgh12", "bearer [token]"),
        ("export DB_PASSWORD=hunter2; ls", "export DB_PASSWORD=[secret]; ls"),
        ('{"api_key": "abc", "n": 1}', '{"api_key": [secret], "n": 1}'),
        ("AWS_SECRET_ACCESS_KEY='a b' x", "AWS_SECRET_ACCESS_KEY=[secret] x"),
        ("x --password hunter2 y", "x --password [secret] y"),
        ("x --token=abc", "x --token=[secret]"),
        ("curl -u bob:hunter2 https://x", "curl -u bob:[password] https://x"),
        ("sshpass -p hunter2 ssh x", "sshpass -p [password] ssh x"),
        (f"x {B62}{B62} y", "x [long random word] y"),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nls", "[private key]\nls"),
        ("-----BEGIN PRIVATE KEY-----\nabc", "[private key]"),
        # What is no secret
        ("git commit -m 'fix tokens' && echo $TOKEN", "git commit -m 'fix tokens' && echo $TOKEN"),
        ("TOKEN=$GITHUB_TOKEN gh api x", "TOKEN=$GITHUB_TOKEN gh api x"),
        (f"git show {HEX}{HEX}01234567", f"git show {HEX}{HEX}01234567"),
        ("123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"),
        ("src/components/AuthenticationProviderFactory.tsx", "src/components/AuthenticationProviderFactory.tsx"),
        ("npm run test:unit", "npm run test:unit"),
        ("docker run --user 1000:1000 x", "docker run --user 1000:1000 x"),
    ],
)
def test_masks(text: str, masked: str) -> None:
    assert redact(text) == masked
    assert redact(masked) == masked, "what was masked stays as it is"


@pytest.mark.parametrize("mask", MASKS, ids=lambda mask: mask.word)
@pytest.mark.parametrize(
    "unit",
    ["eyJ", "eyJaaaaaaaa", "://a:", "sk-", "-----BEGIN PRIVATE KEY-----", "token=", 'token="', "--password ", "bearer ",
     "authorization:", "/home/", "-u a:", "SG.aaaaaaaaaaaaaaaa.", "A1a", " ", "secret"],
)  # fmt: skip
def test_no_pattern_has_more_than_linear_work(mask: object, unit: str) -> None:
    """At this length a quadratic pattern would run for hours; nothing is measured, it ends or it does not."""
    text = unit * (400_000 // len(unit))
    mask.pattern.sub("", text)  # type: ignore[attr-defined]
