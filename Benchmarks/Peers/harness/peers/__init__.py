"""What is measured: Belfry, and what people would use instead of it."""
