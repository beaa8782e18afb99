"""The PowerShell tool's own check: rules, read-only cmdlets, removals and edits, from the documents (section 3)."""
