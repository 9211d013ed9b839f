"""The parts of a run, each of which measures some rows of the tables."""
