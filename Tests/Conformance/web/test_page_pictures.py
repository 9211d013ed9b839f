"""Each view of the page with what German and Arabic apps write, in each form: nothing is cut off.

BELFRY_PICTURES names a directory that gets a picture of each: Documentation/page has them.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.browser import Browser, Page
from harness.launcher import Launcher
from web.home import Home, go

pytestmark = pytest.mark.full

DAY = 86_400
VIEWS = ["Notifications", "Upcoming", "History", "Settings", "Server"]
FORMS = {
    "light": {"width": 1_280, "height": 900, "dark": False},
    "dark": {"width": 1_280, "height": 900, "dark": True},
    "narrow": {"width": 360, "height": 780, "dark": False},
    "narrow-dark": {"width": 360, "height": 780, "dark": True},
    # 4K without a scale.
    "wide": {"width": 3_840, "height": 2_160, "dark": False},
}

GERMAN = [
    ("Bahnverbindungsänderung", "Der ICE 1093 fährt heute von Gleis 7 statt von Gleis 12."),
    ("Müllabfuhr", "Morgen früh: Altpapier und Wertstoffe. Bitte bis 6 Uhr hinausstellen."),
    (
        "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen",
        "Ein sehr langes Wort, das nirgends aus der Karte ragen darf.",
    ),
]
ARABIC = [
    ("موعد الطبيب", "غدًا في العاشرة صباحًا، في العيادة الجديدة بجانب الحديقة."),
    ("وصلت طلبيتك", "الطرد عند البواب. رمز الاستلام: 4711 (صالح حتى يوم الأحد)."),
]


@pytest.fixture(scope="module")
def furnished(shared_launch: Launcher, browser: Browser) -> Iterator[Home]:
    """A server with apps of two languages: what they delivered, and what they will."""
    home = Home(shared_launch, browser)
    actions = [{"identifier": "yes", "title": "Bestätigen"}, {"identifier": "no", "title": "رفض"}]
    for app, name, texts in [
        ("de.beispiel.bahn", "Bahnauskunft", GERMAN), ("org.misal.mawaid", "مواعيد", ARABIC),
    ]:  # fmt: skip
        manifest = {"names": [{"language": "en", "name": name}]}
        home.call("RegisterApp", center=home.center(app), manifest=manifest)
        asked = {"center": home.center(app), "options": ["AUTHORIZATION_OPTION_ALERT"]}
        home.call("RequestAuthorization", **asked)
        for place, (title, body) in enumerate(texts):
            content = {"title": title, "body": body, "threadIdentifier": f"{place // 2}"}
            home.add(f"{app} {place}", app=app, **content, actions=actions if place == 0 else [])
            trigger = {"timeInterval": {"interval": f"{DAY // 4 * (place + 1)}s"}}
            request = {"identifier": f"later {place}", "content": content, "trigger": trigger}
            home.call("Add", center=home.center(app), request=request)
    yield home


@pytest.fixture(scope="module")
def page(furnished: Home) -> Page:
    """The page of its person."""
    return furnished.open()


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("form", FORMS)
def test_a_view_fits(page: Page, form: str, view: str) -> None:
    page.resize(**FORMS[form])
    go(page, view)
    page.wait("document.querySelector('#view').innerText.length > 40")
    wide = page.run(
        "[...document.querySelectorAll('#view *')].filter((each) => each.checkVisibility()"
        " && !each.closest('.scrolls, canvas, svg')"
        " && each.getBoundingClientRect().right > innerWidth + 1).map((each) => each.outerHTML.slice(0, 200))"
    )
    assert page.run("document.documentElement.scrollWidth") <= FORMS[form]["width"], wide[:3]
    assert wide == []
    assert page.problems() == []
    if directory := os.environ.get("BELFRY_PICTURES"):
        page.picture(Path(directory) / f"{view.lower()}-{form}.png")


@pytest.mark.parametrize("form", ["light", "wide"])
def test_a_menu_is_beside_its_button(furnished: Home, form: str) -> None:
    page = furnished.open()
    page.resize(**FORMS[form])
    page.wait("document.querySelector('.note')")
    page.click(".note [title=Snooze]")
    page.wait("document.querySelector('.menu:popover-open')")
    button, menu = (
        page.run(f"document.querySelector({selector!r}).getBoundingClientRect().toJSON()")
        for selector in (".note [title=Snooze]", ".menu")
    )
    assert abs(menu["right"] - button["right"]) < 2
    assert 0 <= menu["top"] - button["bottom"] < 20
    # Letters are no smaller on a wide screen than on a laptop, seen from where it is looked at.
    size = page.run("document.querySelector('.note h3').getBoundingClientRect().height / innerHeight")
    assert size > 0.015
