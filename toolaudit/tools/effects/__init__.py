"""What tools do to the machine: reading and writing files, running commands, fetching pages.

Nothing above this package opens a file, starts a process or reaches for the network by itself.
"""
