"""ListCallers: who has what of the limits of callers (W-11)."""

from access.serving import Caller, make_token, own_token, start
from harness.client import Client
from harness.launcher import Launcher


def test_each_caller_is_listed_with_what_it_has(launch: Launcher) -> None:
    server = start(launch, "--apps-per-caller=7")
    names = ("coffee", "milk", "tea")
    tokens = {name: make_token(launch, server.home, name, "app") for name in names}
    with Client(server.targets["tcp"]) as client:
        owner = Caller(client, own_token(server))
        # Who may make every call has no limits.
        owner.call("RequestAuthorization", center={"app_id": "org.example.own"}, options=[4])
        assert not owner.call("ListCallers").callers
        for place, (name, token) in enumerate(tokens.items()):
            caller = Caller(client, token)
            for app in range(place + 1):
                center = {"app_id": f"org.example.{name}{app}"}
                caller.call("RequestAuthorization", center=center, options=[4])
            data = bytes([65 + place]) * 100 * (place + 1)
            caller.call(
                "PutAttachment", app_id=f"org.example.{name}0", data=data,
                metadata={"file_name": "x", "purpose": 3, "media_type": "text/plain"},
            )  # fmt: skip
        page = owner.call("ListCallers")
        assert [(each.name, each.app_count) for each in page.callers] == [
            ("token coffee", 1), ("token milk", 2), ("token tea", 3),
        ]  # fmt: skip
        assert [each.file_bytes for each in page.callers] == [100, 200, 300]
        assert all(each.store_bytes > 0 for each in page.callers)
        assert page.app_limit == 7
        assert page.file_byte_limit > 0 and page.store_byte_limit > 0
        # Page by page.
        found, token = [], ""
        while True:
            page = owner.call("ListCallers", page_size=2, page_token=token)
            found += [each.name for each in page.callers]
            token = page.next_page_token
            if not token:
                break
        assert found == [f"token {name}" for name in names]
