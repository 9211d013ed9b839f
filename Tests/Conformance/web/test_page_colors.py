"""The colors of the person's page can be told apart, in light and in dark (WCAG 2.2, 1.4.3)."""

import re
from pathlib import Path

import pytest

STYLE = (Path(__file__).parents[3] / "Clients/page/page.css").read_text()

# A text and what it is on.
PAIRS = [
    ("text", "back"), ("text", "card"), ("text", "under"), ("dim", "back"), ("dim", "card"),
    ("dim", "under"), ("dim", "soft"), ("accent", "soft"), ("accent", "card"), ("accent", "back"),
    ("on-accent", "accent"), ("bad", "soft"), ("bad", "back"), ("warn", "card"),
]  # fmt: skip


def colors(scheme: str) -> dict[str, tuple[float, ...]]:
    """The colors of a scheme, by their names."""
    light, dark = STYLE.split("prefers-color-scheme: dark", 1)
    found = re.findall(r"--([\w-]+): #([0-9a-f]{6});", dark if scheme == "dark" else light)
    return {
        name: tuple(int(text[place : place + 2], 16) / 255 for place in (0, 2, 4))
        for name, text in found
    }


def luminance(color: tuple[float, ...]) -> float:
    """How bright a color is."""
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color]
    return sum(part * weight for part, weight in zip(parts, (0.2126, 0.7152, 0.0722), strict=True))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("pair", PAIRS, ids="-on-".join)
def test_a_text_stands_out(scheme: str, pair: tuple[str, str]) -> None:
    bright, faint = sorted((luminance(colors(scheme)[name]) for name in pair), reverse=True)
    assert (bright + 0.05) / (faint + 0.05) >= 4.5
