"""Facts about policies, computed from rules alone: no file, network or process is touched here."""
