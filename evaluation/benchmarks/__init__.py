"""All benchmarks by one command: parts that are run once, kept, and put together as tables."""
