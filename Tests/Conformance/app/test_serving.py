"""ExtensionService.Serve: who serves, who takes over, what is refused (NSE-8, NCE-1, W-22)."""

import grpc
import pytest

from harness import wire
from harness.client import App, Client
from harness.eventually import eventually
from harness.extension import Serving, content, service
from harness.refusals import Expected, refusal_in, refusal_of

INVALID = grpc.StatusCode.INVALID_ARGUMENT
TAKEN = Expected(
    grpc.StatusCode.ALREADY_EXISTS,
    "EXTENSION_CATEGORY_TAKEN",
    ("extension.categories[1]",),
)
REPLACED = Expected(grpc.StatusCode.ABORTED, "EXTENSION_REPLACED")


def test_an_extension_of_an_app_that_is_not_registered_serves(app: App) -> None:
    with Serving(app.client, app.center.app_id, service(app.center.app_id)) as serving:
        assert serving.serving_id


def test_the_newest_call_of_an_extension_takes_over(app: App, client: Client) -> None:
    app_id = app.center.app_id
    first = Serving(client, app_id, content(app_id, "red"))
    other = Serving(client, app_id, content(app_id, "blue", name="other"))
    second = Serving(client, app_id, content(app_id, "red", "green"))
    assert first.serving_id != second.serving_id
    REPLACED.check(refusal_in(first.status()))
    other.close()
    second.close()


def test_an_app_has_one_service_extension(app: App, client: Client) -> None:
    app_id = app.center.app_id
    older = Serving(client, app_id, service(app_id, "a"))
    newer = Serving(client, app_id, service(app_id, "b"))
    REPLACED.check(refusal_in(older.status()))
    newer.close()


def test_a_category_belongs_to_one_extension_that_serves(app: App, client: Client) -> None:
    app_id = app.center.app_id
    with Serving(client, app_id, content(app_id, "red", "Blue")):
        TAKEN.check(
            refusal_of(lambda: Serving(client, app_id, content(app_id, "blue", "red", name="b")))
        )
        # Another app has categories of its own.
        elsewhere = client.app().center.app_id
        Serving(client, elsewhere, content(elsewhere, "red")).close()

    def serves() -> bool:
        try:
            Serving(client, app_id, content(app_id, "blue", "red", name="b")).close()
        except grpc.RpcError as error:
            TAKEN.check(refusal_in(error))
            return False
        return True

    eventually(serves)


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("extension.extension_id", {"extension_id": "org.example.other.service"}),
        ("extension.kind", {"kind": wire.EXTENSION_KIND_UNSPECIFIED}),
        ("extension.categories", {"categories": ["red"]}),
        ("extension", {"handles_responses": True}),
        ("extension.categories", {"kind": wire.EXTENSION_KIND_CONTENT}),
        (
            "extension.initial_content_size_ratio",
            {
                "kind": wire.EXTENSION_KIND_CONTENT,
                "categories": ["red"],
                "initial_content_size_ratio": float("nan"),
            },
        ),
    ],
)
def test_an_extension_that_is_none_is_refused(
    app: App, field: str, change: dict[str, object]
) -> None:
    extension = service(app.center.app_id)
    for name, value in change.items():
        if isinstance(value, list):
            extension.categories.extend(value)
        else:
            setattr(extension, name, value)
    refusal = refusal_of(lambda: Serving(app.client, app.center.app_id, extension))
    Expected(INVALID, "EXTENSION_INVALID", (field,)).check(refusal)


def test_an_app_id_that_is_none_is_refused(client: Client) -> None:
    refusal = refusal_of(lambda: Serving(client, "a b", service("a b")))
    Expected(INVALID, "APP_ID_INVALID", ("app_id",)).check(refusal)


def test_a_manifest_keeps_its_extensions(app: App) -> None:
    app_id = app.center.app_id
    shown = content(app_id, "red", "green")
    shown.initial_content_size_ratio = 0.5
    shown.default_content_hidden = True
    shown.overrides_default_title = True
    shown.user_interaction_enabled = True
    shown.handles_responses = True
    manifest = wire.AppManifest(language="en", extensions=[service(app_id), shown])
    assert app.call("RegisterApp", manifest=manifest).app.manifest == manifest
    manifest.extensions.append(content(app_id, "blue", "red", name="other"))
    refusal = refusal_of(lambda: app.call("RegisterApp", manifest=manifest))
    Expected(
        grpc.StatusCode.ALREADY_EXISTS,
        "EXTENSION_CATEGORY_TAKEN",
        ("manifest.extensions[2].categories[1]",),
    ).check(refusal)
