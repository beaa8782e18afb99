"""The built-in tools: which there are, what each needs, and which inputs each refuses before any permission check."""
