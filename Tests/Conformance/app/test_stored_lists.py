"""The lists of what an app has stored: its files, sounds and texts (ATT-10, SND-1, L10N-5)."""

from collections.abc import Callable
from typing import Any

import grpc
import pytest

from app.test_localization import set_table
from harness import files, wire
from harness.client import App, Client
from harness.refusals import Expected, refusal_of
from person.test_sounds import install

LISTS = {
    "ListAttachments": "attachments",
    "ListSounds": "sounds",
    "ListStringTables": "tables",
}


def store_some(app: App, count: int = 5) -> None:
    """Stores as many files, sounds and tables of texts."""
    for number in range(count):
        # Each sound is a file, too.
        install(app, f"{number}.wav", 0.01 * (number + 1))
        set_table(app, f"a{chr(ord('a') + number)}", {"a": "Text", "b": f"{number}"})


def pages(app: App, rpc: str, size: int = 0) -> list[list[Any]]:
    """The entries of all pages of a list, page by page."""
    found, token = [], ""
    while True:
        page = app.client.call(rpc, app_id=app.center.app_id, page_size=size, page_token=token)
        found.append(list(getattr(page, LISTS[rpc])))
        token = page.next_page_token
        if not token:
            return found


def key(entry: Any) -> str:
    """What the entries of a list are sorted by."""
    match entry:
        case wire.ListedAttachment():
            return str(entry.attachment.attachment_id)
        case wire.ListedSound():
            return str(entry.sound.name)
    return str(entry.language)


@pytest.mark.parametrize("rpc", LISTS)
def test_pages_are_in_order_and_end(app: App, rpc: str) -> None:
    assert pages(app, rpc) == [[]]
    store_some(app)
    (whole,) = pages(app, rpc)
    assert len(whole) == 5
    assert [key(entry) for entry in whole] == sorted(key(entry) for entry in whole)
    for size, sizes in [(2, [2, 2, 1]), (5, [5]), (4, [4, 1]), (1_000, [5])]:
        found = pages(app, rpc, size)
        assert [len(page) for page in found] == sizes
        assert sum(found, []) == whole


@pytest.mark.parametrize("rpc", LISTS)
def test_an_app_has_its_own_list(client: Client, rpc: str) -> None:
    app, other = client.app(), client.app()
    # What begins like its name is another app.
    longer = App(client, wire.Center(app_id=app.center.app_id + "x"))
    store_some(app, 2)
    store_some(longer, 1)
    assert [len(page) for page in pages(app, rpc)] == [2]
    assert [len(page) for page in pages(longer, rpc)] == [1]
    assert pages(other, rpc) == [[]]


@pytest.mark.parametrize("rpc", LISTS)
@pytest.mark.parametrize(
    "fields, reason, field",
    [
        ({"app_id": ""}, "APP_ID_INVALID", "app_id"),
        ({"page_size": -1}, "INVALID_FIELD", "page_size"),
        ({"page_size": 1_001}, "INVALID_FIELD", "page_size"),
        ({"page_token": "00"}, "PAGE_TOKEN_INVALID", "page_token"),
    ],
)
def test_a_wrong_request(
    app: App, rpc: str, fields: dict[str, Any], reason: str, field: str
) -> None:
    asked = {"app_id": app.center.app_id} | fields
    refusal = refusal_of(lambda: app.client.call(rpc, **asked))
    Expected(grpc.StatusCode.INVALID_ARGUMENT, reason, (field,)).check(refusal)


@pytest.mark.parametrize("rpc", LISTS)
def test_a_token_of_another_list_is_refused(client: Client, rpc: str) -> None:
    app, other = client.app(), client.app()
    store_some(app, 2)
    wrong = Expected(grpc.StatusCode.INVALID_ARGUMENT, "PAGE_TOKEN_INVALID", ("page_token",))
    for one in LISTS:
        for of in (app, other):
            page = client.call(rpc, app_id=app.center.app_id, page_size=1)
            call: Callable[[], Any] = lambda one=one, of=of, page=page: client.call(
                one, app_id=of.center.app_id, page_token=page.next_page_token
            )
            if (one, of) == (rpc, app):
                assert len(getattr(call(), LISTS[rpc])) == 1
            else:
                wrong.check(refusal_of(call))


def attachment(app: App) -> wire.ListedAttachment:
    """The only file of an app."""
    ((listed,),) = pages(app, "ListAttachments")
    return listed


def test_a_file_is_told_with_its_uses(app: App) -> None:
    stored = files.put(app, files.png(), "tea.png")
    assert attachment(app) == wire.ListedAttachment(attachment=stored, reference_count=0)
    reference = wire.AttachmentReference(attachment_id=stored.attachment_id)
    content = {"title": "Tea", "attachments": [reference]}
    app.add("a", after=10, **content)
    app.add("b", after=20, **content)
    listed = attachment(app)
    assert listed.reference_count == 2
    assert not listed.attachment.HasField("unreferenced_until")
    app.client.advance(10)
    assert attachment(app).reference_count == 2
    app.call("RemoveDelivered", identifiers=["a"])
    assert attachment(app).reference_count == 1
    app.call("RemovePending", identifiers=["b"])
    assert pages(app, "ListAttachments") == [[]]


def test_a_sound_is_told_with_its_file(app: App) -> None:
    short, long = install(app, "a.wav", 1.5), install(app, "b.wav", 30)
    sounds = [(e.sound, e.size_bytes) for e in sum(pages(app, "ListSounds"), [])]
    assert sounds == [(short, len(files.wave(1.5))), (long, len(files.wave(30)))]
    app.client.call("SetSound", app_id=app.center.app_id, name="a.wav")
    assert [key(e) for e in sum(pages(app, "ListSounds"), [])] == ["b.wav"]


def test_a_table_is_told_by_its_language_and_size(app: App) -> None:
    set_table(app, "pt-BR", {"tea": "Chá", "more": {"one": "%u", "other": "%u"}})
    set_table(app, "EN", {f"key {number}": "Text" for number in range(1_000)})
    english, portuguese = sum(pages(app, "ListStringTables"), [])
    assert (english.language, english.count) == ("en", 1_000)
    assert (portuguese.language, portuguese.count) == ("pt-br", 2)
    assert 10_000 < english.size_bytes < 50_000
    assert 10 < portuguese.size_bytes < 200
    set_table(app, "en", {})
    assert [key(e) for e in sum(pages(app, "ListStringTables"), [])] == ["pt-br"]
