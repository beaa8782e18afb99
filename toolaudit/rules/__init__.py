"""The rule language, and what each kind of rule matches."""
