"""The clients for threads, which `belfry` has under its own name."""
