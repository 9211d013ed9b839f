"""Measures Belfry beside what people would use instead of it."""
