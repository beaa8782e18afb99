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

_PARTS = late(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")

_HARMLESS: Final = frozenset(
    """
    all analyze analysis api app apps apidocs asset assets assemble audit autofix backend base bench benchmark
    benchmarks benchmarking bin browser build builds builder bundle cache changelog check checks checked checkstyle ci
    class clean cleanup clear cli client cmp codegen codestyle collect compile compiled complexity components config
    configure console contracts copy cov cover coverage css cs cypress cy data dbg dead debug declarations default
    defconfig demo depcheck dependencies deps depgraph dev develop development diagram diagrams dialyzer diff dist doc
    docker docs docstest docstring doctest doctor download dry e2e emulate env eslint examples example export exports
    fast features fetch firmware fix fixes fixtures flake flow fmt format formatted formatting frontend fuzz gen
    generate generated generator go grammar graph graphql grpc headless help hot html icons images impl import
    index info init inspect install instrument integration ios android ipynb isort java jest js json kernel lib libs
    licenses lint linter lints linting linux list live load local locale locales lock log logs ls mac macos main make
    man manifest menuconfig message messages metrics mock mocks mod mode model models module modules mypy native nightly
    node notebook notebooks offline open openapi outdated output pack package packages parse parser perf performance
    phpcs phpstan phpunit plot plots po pot pre precommit prepare pretty prettier preview print prof profile progress
    proto protobuf protos psalm py pylint pyright pytest python quality quick race readme rebuild regen regenerate
    regress regression report reports repl rerun routes rspec rubocop ruff run rust sample sass sbom schema schemas
    screenshot screenshots script scripts sdk server serve service services setup shell shellcheck show sim simulate
    simulator site size slow smoke snapshot snapshots spec specs spell spellcheck sql src stan standalone start static
    stats status stop storybook strict style styles stylelint swagger tailwind target task tasks template templates test
    testing tests tf theme themes tidy tools total translations tree ts tsc type typecheck types typing typings ui unit
    units unused update ut utils validate vendor verify version versions vet view visual vulncheck wasm watch web
    webpack
    win windows wasm worker workers worker www x86 yaml lite mobile desktop core server servers common shared watch
    extract messages i18n l10n strings intl ladle playground sandbox staged stage1 tar zip rpm deb exe iso bootstrap
    down up ps restart stop logs attach exec sh bash vm emulator device console db pg redis seed seeds train eval
    evaluate infer inference predict preprocess process features dataset datasets figures figure paper thesis pdf latex
    slides book results experiment experiments notebook tune sweep baseline score metrics summary convert render resize
    optimize minify compress thumbnails sprites fonts svg assets sync-types sitemap rss feed search lighthouse a11y
    accessibility axe percy vitest playwright mocha ava karma turbo nx lerna rollup vite parcel esbuild swc babel
    postcss rtl pot merge json ld hex flash0 bin elf size disasm objdump headers cscope tags ctags etags compdb
    bear cmake ninja configure reconfigure sanitize asan ubsan msan tsan valgrind memcheck leak leaks gdb lldb stack
    ready health healthcheck wait ping open watch reload hello world foo bar hex dump pull get outdated why dedupe
    upgrade list expo metro pods pod gradle xcode swift kotlin flutter dart runner gen-l10n analyze icons splash
    nonet nodeps quiet verbose silent debug parallel serial once single only no not without fixall unit-test it
    contract pact arch mutation mutants stryker property quickcheck hypothesis golden approve snap u w c i t d b
    """.split()
)


def objection(name: str) -> str | None:
    """What about a task's name is not known to be harmless: a risky word, or that no word of it is known."""
    risky = RISKY.search(name)
    if risky is not None:
        return f"the word {risky.group().strip('_')}"
    parts = [part.lower() for part in _PARTS.findall(name)]
    return None if any(part in _HARMLESS for part in parts) else f"the name {name}"
