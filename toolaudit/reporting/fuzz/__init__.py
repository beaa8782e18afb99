"""Writers for what the fuzzer found: soundness runs, and searches through a policy."""
