"""What RESULTS.md and the plots say."""

import xml.dom.minidom

from harness import report
from harness.figures import Figures, Key, Spread
from harness.plot import Axis, Line, label, line_plot
from harness.rows import Row, rows
from harness.stages.scale import short

ADD = "add, 64 in flight, rate"


def row(**changes: object) -> Row:
    fields = {"path": "add / Redis", "above": (Key("Belfry", ADD),),
              "below": (Key("Redis", ADD),), "floor": 1.0, "aim": 1.3}
    return Row(**{**fields, **changes})  # type: ignore[arg-type]


def made(figures: Figures) -> str:
    subject = report.Subject("Redis", "7.0.15", "appendfsync always", "a | script")
    return report.Report(
        figures, [row()], [subject], {"kernel": "6.1"}, "120 s", "make bench-peers",
        [("A plot", "plot.svg")], is_trial=False,
    ).markdown()


def test_numbers_have_three_digits() -> None:
    assert [report.number(value) for value in (0.987, 12.34, 123.4, 23_500.2)] == [
        "0.99", "12.3", "123", "23,500",
    ]


def test_a_spread_is_told_where_there_is_one() -> None:
    assert report.spread(Spread(2, 1, 3, 3)) == "2.00 (1.00 - 3.00)"
    assert report.spread(Spread(2, 2, 2, 1)) == "2.00"


def test_a_table_is_markdown() -> None:
    assert report.table(["a", "b"], [["1", "2"]]) == "| a | b |\n|---|---|\n| 1 | 2 |\n"


def test_a_row_says_what_it_reaches() -> None:
    assert [row().verdict(value) for value in (1.3, 1.0, 0.9)] == ["aim", "floor", "not the floor"]
    less = row(floor=1.5, aim=1.2, less_is_better=True)
    assert [less.verdict(value) for value in (1.2, 1.5, 1.6)] == ["aim", "floor", "not the floor"]
    assert row(floor=None).verdict(1.2) == "not the aim"
    assert row(floor=None, aim=None).verdict(1.2) == "-"
    no_aim = row(floor=0.95, aim=None)
    assert [no_aim.verdict(value) for value in (0.95, 0.94)] == ["floor", "not the floor"]


def test_a_ratio_that_was_measured_is_in_the_table() -> None:
    figures = Figures()
    for round_, rate in enumerate((20_000.0, 30_000.0, 40_000.0)):
        figures.add("Belfry", ADD, round_, rate)
        figures.add("Redis", ADD, round_, 20_000.0)
    text = made(figures)
    assert "| add / Redis | 1.50 (1.00 - 2.00) | 1.00 | 1.30 | aim |" in text
    assert "| add, 64 in flight | Belfry | 30,000 (20,000 - 40,000) | - | - | - | - |" in text


def test_a_figure_that_is_missing_says_why_and_is_no_number() -> None:
    figures = Figures()
    figures.lack("Redis", "add, 64 in flight", "it is not there")
    text = made(figures)
    assert "| add / Redis | it is not there | 1.00 | 1.30 | - |" in text
    assert "- Redis, add, 64 in flight: it is not there" in text


def test_a_bar_does_not_end_a_cell() -> None:
    assert "a \\| script" in made(Figures())


def test_a_difference_is_of_medians() -> None:
    figures = Figures()
    figures.add("Belfry", "anonymous MiB, 0", 0, 5)
    figures.add("Belfry", "anonymous MiB, 1 M", 0, 45)
    memory = next(one for one in rows(1_000_000, 0) if one.is_difference)
    assert memory.spread(figures) == Spread(40, 40, 40, 1)


def test_the_largest_store_has_rows_only_where_it_was_asked_for() -> None:
    assert not any("10 M" in one.path for one in rows(1_000_000, 0))
    assert any("10 M" in one.path for one in rows(1_000_000, 10_000_000))


def test_counts_are_short() -> None:
    assert [short(count) for count in (0, 10_000, 20_500, 1_000_000)] == [
        "0", "10 k", "20.5 k", "1 M",
    ]


def test_an_axis_is_logarithmic() -> None:
    axis = Axis("rate", 10, 1_000)
    assert axis.part(100) == 0.5
    assert axis.ticks() == [10, 20, 50, 100, 200, 500, 1_000]
    assert [label(value) for value in (500, 2_000, 1e6)] == ["500", "2 k", "1 M"]


def test_a_plot_is_xml_with_each_line() -> None:
    text = line_plot("Title & more", "x", "y", [Line("a", [(1, 2), (10, 3)]), Line("b", [(5, 2)])])
    document = xml.dom.minidom.parseString(text)
    assert len(document.getElementsByTagName("circle")) == 3
    assert "Title &amp; more" in text
    assert line_plot("nothing", "x", "y", [Line("a", [])]) == ""


def test_a_start_is_told_beside_that_of_redis() -> None:
    figures = Figures()
    for round_, (belfry, redis) in enumerate([(30, 20), (50, 20), (40, 20)]):
        figures.add("Belfry", "later start, ms", round_, belfry)
        figures.add("Redis", "later start, ms", round_, redis)
    found = {row.path: row for row in rows(1_000_000, 0)}
    later = found["later start to serving, empty / Redis"]
    assert later.spread(figures) == Spread(2, 1.5, 2.5, 3)
    assert [later.verdict(value) for value in (2, 2.1)] == ["aim", "not the aim"]
    assert found["first start to serving, empty / Redis"].spread(figures) is None
