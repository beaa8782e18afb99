"""What a comparison of two policies found: for people, as JSON, and as results for every other format."""
