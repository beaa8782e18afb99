"""The pytest plugin: policy test files as items, fixtures for tests in Python, and coverage.

`plugin` is what pytest loads at every start, so it imports nothing of toolaudit before something is asked of it.
"""
