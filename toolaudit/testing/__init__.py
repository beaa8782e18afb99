"""Policy tests: files of cases, each a call and what is expected of it, and what runs them."""
