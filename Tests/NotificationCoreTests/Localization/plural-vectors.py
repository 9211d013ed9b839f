"""Writes PluralVectors.swift: what CLDR says of each language's numbers, as Babel has it.

    pip install Babel==2.18.0
    python plural-vectors.py > PluralVectors.swift
"""

import itertools
import textwrap
from collections import defaultdict

import babel
from babel import Locale
from babel.localedata import locale_identifiers

# As in PluralRuleTests.swift.
NUMBERS = [
    *range(1_001),
    *(1_000 * count for count in range(2, 101)),
    *(1_000_000 * count for count in range(1, 102)),
    *(10**power for power in range(4, 20)),
    *(10**power + 1 for power in range(3, 20)),
]

HEADER = f"""\
// Made by plural-vectors.py from CLDR, as Babel {babel.__version__} has it. Do not edit.

/// What CLDR says of numbers: the languages that say the same, and for each number of
/// `PluralRuleTests.numbers` in turn a category, as its first letter (`x` for other) and how many
/// numbers in a row have it.
enum PluralVectors {{
    static let all: [(languages: String, categories: String)] = ["""

FOOTER = """\
    ]
}"""


def categories(locale: str) -> str:
    """The runs of categories of a locale's numbers."""
    form = Locale.parse(locale).plural_form
    letters = ({"other": "x"}.get(name := form(number), name[0]) for number in NUMBERS)
    runs = ((letter, len(list(run))) for letter, run in itertools.groupby(letters))
    return " ".join(f"{letter}{count}" for letter, count in runs)


def literal(text: str) -> str:
    """A Swift literal of one line, written on several."""
    lines = textwrap.wrap(text, 84, break_long_words=False)
    margin = 12 * " "
    body = " \\\n".join(margin + line for line in lines)
    return f'{margin}"""\n{body}\n{margin}"""'


def main() -> None:
    groups: dict[str, list[str]] = defaultdict(list)
    known: dict[str, str] = {}
    for locale in sorted(locale_identifiers(), key=lambda name: (name.count("_"), name)):
        runs = categories(locale)
        # A region is named where it differs from its language.
        if runs != known.setdefault(locale.split("_")[0], runs) or "_" not in locale:
            groups[runs].append(locale.replace("_", "-"))
    print(HEADER)
    for runs, languages in groups.items():
        print(f"        (\n{literal(' '.join(sorted(languages)))},\n{literal(runs)}\n        ),")
    print(FOOTER)


if __name__ == "__main__":
    main()
