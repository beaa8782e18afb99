"""Read-only commands: those that the client runs without any rule.

    programs    one entry a program, or for git and docker one a subcommand (`git`, `docker`); no entry: not read-only
    grammar     what an entry can say: any arguments, a few texts, or options with a kind of value each
    decide      a command held against its entry
    refusals    what an entry can't say: arguments that change or start something; `conditions` those of `test` and `[`
    words       what the client takes an unknown word for

Whether the files a command names may be read is another matter: see `path_operands`. Every row is measured, by asking
the client about each option with each kind of value.
"""

from toolaudit.shell.readonly.decide import read_only, unchecked_option

__all__ = ["read_only", "unchecked_option"]
