"""Names of tasks, scripts and calls: which words in them are harmless, and which promise consequences."""

from __future__ import annotations

from typing import Final

from toolaudit.patterns import late

RISKY: Final = late(
    r"(?:\A|(?<=[:\s/-]))release(?=\Z|[:-](?!note|check|dry|build|candidate))|"
    r"\b(?:db|database)[:_-](?:reset|drop|clear|wipe|flush|purge)|\breset[:_-](?:db|database)|"
    r"(?:\b|_|(?<=[a-z]))(?:[Dd]eploy|[Dd]estroy|[Pp]ublish|[Pp]urge|[Ww]ipe|[Nn]uke|[Tt]eardown|[Rr]ollback|"
    r"[Rr]oll_?back|"
    r"[Dd]ecommission|[Pp]rovision|[Pp]romote|[Uu]pload|"
    r"[Mm]igrat(?:e|ion)(?!s?\.(?:test|spec))|[Bb]ackfill|[Nn]otify|[Bb]roadcast|[Nn]ewsletter|"
    r"[Ss]end_?(?:[Mm]ail|[Ee]mail|"
    r"[Ii]nvit|[Nn]otif|[Ss]ms|[Aa]ll|[Rr]eminder|[Ww]elcome|[Cc]ampaign)|[Ee]mail_?(?:all|users|customers|"
    r"blast)|[Rr]efund|"
    r"[Pp]ayout|[Cc]harge_?(?:all|cards|customers)|[Rr]otate_?(?:keys?|secrets?|tokens?|creds?)|[Rr]evoke|[Gg]rant|"
    r"[Ff]lush_?(?:all|db|cache)|[Dd]rop_?(?:all|db|database|tables?|schema|index|collection|user)|[Tt]runcate|"
    r"[Dd]elete_?(?:all|users?|accounts?|customers?|old|stale|inactive|everything|data|records|tenant|orphan)|"
    r"[Rr]emove_?(?:all|users?|accounts?|customers?|old|stale)|[Rr]eset_?(?:db|database|prod|all|password|users)|"
    r"[Ss]ync_?(?:prod|to|up)|[Pp]ush_?(?:to|prod|all|image|images|docker|tags|live|notif)|[Ff]ailover|[Ss]hutdown|"
    r"[Dd]isable_?(?:auth|2fa|mfa|user|security|guard|waf|ssl)|[Ii]mpersonate|[Aa]nonymi[sz]e_?prod|[Mm]ass_?|[Bb]last|"
    r"[Ee]xfil|[Kk]eylog|[Mm]iner\b|[Cc]rack_?|[Bb]rute_?force|[Ss]crape_?(?:emails|users|profiles|linkedin)|"
    r"[Pp]hish|[Ss]pam\b)"
)
"""A word, whole or at the start of a part of a name, that promises consequences."""

PRODUCTION: Final = late(r"\b(?:prod|production|live)\b", 2)
"""A word that says that others depend on it."""

_PARTS = late(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")

_HARMLESS: Final = frozenset(
    """
    a11y accessibility all analysis analyze android api apidocs app approve apps arch asan assemble asset assets
    attach audit autofix ava axe b babel backend bar base baseline bash bear bench benchmark benchmarking benchmarks
    bin book bootstrap browser build builder builds bundle c cache changelog check checked checks checkstyle ci
    class clean cleanup clear cli client cmake cmp codegen codestyle collect common compdb compile compiled
    complexity components compress config configure console contract contracts convert copy core cov cover coverage
    cs cscope css ctags cy cypress d dart data dataset datasets db dbg dead deb debug declarations dedupe default
    defconfig demo depcheck dependencies depgraph deps desktop dev develop development device diagram diagrams
    dialyzer diff disasm dist doc docker docs docstest docstring doctest doctor down download dry dump e2e elf
    emulate emulator env esbuild eslint etags eval evaluate example examples exe exec experiment experiments expo
    export exports extract fast features feed fetch figure figures firmware fix fixall fixes fixtures flake flash0
    flow flutter fmt fonts foo format formatted formatting frontend fuzz gdb gen gen-l10n generate generated
    generator get go golden gradle grammar graph graphql grpc headers headless health healthcheck hello help hex hot
    html hypothesis i i18n icons images impl import index infer inference info init inspect install instrument
    integration intl ios ipynb iso isort it java jest js json karma kernel kotlin l10n ladle latex ld leak leaks
    lerna lib libs licenses lighthouse lint linter linting lints linux list lite live lldb load local locale locales
    lock log logs ls mac macos main make man manifest memcheck menuconfig merge message messages metrics metro
    minify mobile mocha mock mocks mod mode model models module modules msan mutants mutation mypy native nightly
    ninja no node nodeps nonet not notebook notebooks nx objdump offline once only open openapi optimize outdated
    output pack package packages pact paper parallel parcel parse parser pdf percy perf performance pg phpcs phpstan
    phpunit ping playground playwright plot plots po pod pods postcss pot pre precommit predict prepare preprocess
    prettier pretty preview print process prof profile progress property proto protobuf protos ps psalm pull py
    pylint pyright pytest python quality quick quickcheck quiet race readme ready rebuild reconfigure redis regen
    regenerate regress regression reload render repl report reports rerun resize restart results rollup routes rpm
    rspec rss rtl rubocop ruff run runner rust sample sandbox sanitize sass sbom schema schemas score screenshot
    screenshots script scripts sdk search seed seeds serial serve server servers service services setup sh shared
    shell shellcheck show silent sim simulate simulator single site sitemap size slides slow smoke snap snapshot
    snapshots spec specs spell spellcheck splash sprites sql src stack stage1 staged stan standalone start static
    stats status stop storybook strict strings stryker style stylelint styles summary svg swagger swc sweep swift
    sync-types t tags tailwind tar target task tasks template templates test testing tests tf theme themes thesis
    thumbnails tidy tools total train translations tree ts tsan tsc tune turbo type typecheck types typing typings u
    ubsan ui unit unit-test units unused up update upgrade ut utils valgrind validate vendor verbose verify version
    versions vet view visual vite vitest vm vulncheck w wait wasm watch web webpack why win windows without worker
    workers world www x86 xcode yaml zip
    """.split()
)


def objection(name: str) -> str | None:
    """What about a task's name is not known to be harmless: a risky word, or that no word of it is known."""
    risky = RISKY.search(name)
    if risky is not None:
        return f"the word {risky.group().strip('_')}"
    parts = [part.lower() for part in _PARTS.findall(name)]
    return None if any(part in _HARMLESS for part in parts) else f"the name {name}"
