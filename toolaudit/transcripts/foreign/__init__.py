"""Recordings of other agents: one reader a format, and the table that says which tool stands for which.

Every reader gives the same stream of calls as the one for Claude Code. What a recording calls its tools, and which of
the client's tools answers to each, is the business of `counterparts`; how calls meet their results, of `recording`.
"""
