"""The page on performance shows what RESULTS.md has: the table of the last run, and its plots."""

from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[2]
PAGE = (BENCHMARKS.parent / "Documentation/Performance.md").read_text()
RESULTS = (BENCHMARKS / "RESULTS.md").read_text()


def test_the_table_is_that_of_the_results() -> None:
    table = RESULTS.split("## Ratios\n\n")[1].split("\n\n")[0]
    assert table.startswith("| path | measured |")
    assert table in PAGE


def test_the_plots_are_those_of_the_results() -> None:
    plots = [line for line in RESULTS.splitlines() if line.startswith("![")]
    assert plots
    for plot in plots:
        shown = plot.replace("](", "](../Benchmarks/")
        assert shown in PAGE
        path = plot.split("](")[1].rstrip(")")
        assert (BENCHMARKS / path).read_text().startswith("<svg")
