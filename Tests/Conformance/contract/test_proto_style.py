"""The style of the protos: the rules of `buf lint`, and what keeps a forgotten field harmless.

The rules are those of buf's category STANDARD, for machines without buf. No server is needed.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

import pytest
import yaml
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
)

from harness import contract

# Enums without an UNSPECIFIED, which `ignore_only` of Protos/buf.yaml names by their files.
WITHOUT_UNSPECIFIED = {
    # Apple's numbers. Where 0 would do something, the field that has one is `optional` or named by
    # an update mask.
    "AlertStyle": "ALERT_STYLE_NONE",
    "AuthorizationStatus": "AUTHORIZATION_STATUS_NOT_DETERMINED",
    "BackgroundFetchResult": "BACKGROUND_FETCH_RESULT_NEW_DATA",
    "BeaconProximity": "BEACON_PROXIMITY_UNKNOWN",
    "ContentExtensionResponseOption": "CONTENT_EXTENSION_RESPONSE_OPTION_DO_NOT_DISMISS",
    "InterruptionLevel": "INTERRUPTION_LEVEL_PASSIVE",
    "LocationPermission": "LOCATION_PERMISSION_NOT_DETERMINED",
    "MediaPlayPauseButtonType": "MEDIA_PLAY_PAUSE_BUTTON_TYPE_NONE",
    "NotificationSetting": "NOTIFICATION_SETTING_NOT_SUPPORTED",
    "ShowPreviewsSetting": "SHOW_PREVIEWS_SETTING_ALWAYS",
    # Defaults that do nothing and grant nothing.
    "AppState": "APP_STATE_NOT_RUNNING",
    "AttachmentPurpose": "ATTACHMENT_PURPOSE_NOTIFICATION",
    "BadgeMode": "BADGE_MODE_SET",
    "DeliveredOrder": "DELIVERED_ORDER_IDENTIFIER",
    "NotificationGrouping": "NOTIFICATION_GROUPING_AUTOMATIC",
    "PendingOrder": "PENDING_ORDER_IDENTIFIER",
    "ShortMonthPolicy": "SHORT_MONTH_POLICY_NEXT_DAY_SAME_TIME",
    "SoundKind": "SOUND_KIND_DEFAULT",
    "SubscriberRole": "SUBSCRIBER_ROLE_OBSERVER",
}

LOWER_SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
UPPER_SNAKE = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
PASCAL = re.compile(r"([A-Z][a-z0-9]*)+")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[FileDescriptorProto]:
    return list(contract.current(tmp_path_factory.mktemp("contract")).file)


def messages(files: list[FileDescriptorProto]) -> Iterator[DescriptorProto]:
    """All messages, those in messages too."""
    left = [message for file in files for message in file.message_type]
    while left:
        message = left.pop()
        yield message
        left += message.nested_type


def enums(files: list[FileDescriptorProto]) -> Iterator[EnumDescriptorProto]:
    for file in files:
        yield from file.enum_type
    for message in messages(files):
        yield from message.enum_type


def test_a_package_is_in_its_directory_and_ends_in_its_version(
    files: list[FileDescriptorProto],
) -> None:
    for file in files:
        assert str(PurePosixPath(file.name).parent) == file.package.replace(".", "/"), file.name
        assert re.search(r"\.v[0-9]+$", file.package), file.name
        assert LOWER_SNAKE.fullmatch(PurePosixPath(file.name).stem), file.name
        assert file.syntax == "proto3", file.name
        assert not file.public_dependency and not file.weak_dependency, file.name


def test_names_have_the_form_of_their_kind(files: list[FileDescriptorProto]) -> None:
    for message in messages(files):
        assert PASCAL.fullmatch(message.name) or message.options.map_entry, message.name
        for part in [*message.field, *message.oneof_decl]:
            # What `optional` makes is not written by anybody.
            assert LOWER_SNAKE.fullmatch(part.name.removeprefix("_")), part.name
    for enum in enums(files):
        assert PASCAL.fullmatch(enum.name), enum.name
        assert not enum.options.allow_alias, enum.name
        for value in enum.value:
            assert UPPER_SNAKE.fullmatch(value.name), value.name


def test_services_and_rpcs_have_the_form_of_their_kind(files: list[FileDescriptorProto]) -> None:
    for service in (service for file in files for service in file.service):
        assert PASCAL.fullmatch(service.name) and service.name.endswith("Service"), service.name
        for method in service.method:
            assert PASCAL.fullmatch(method.name), method.name


def test_zero_is_no_action_and_no_grant(files: list[FileDescriptorProto]) -> None:
    others = {
        enum.name: enum.value[0].name
        for enum in enums(files)
        if not enum.value[0].name.endswith("_UNSPECIFIED")
    }
    assert others == WITHOUT_UNSPECIFIED


def test_buf_passes_over_the_files_of_these_enums_alone(files: list[FileDescriptorProto]) -> None:
    settings = yaml.safe_load((contract.PROTOS / "buf.yaml").read_text())["lint"]
    excepted = {
        file.name for file in files if any(e.name in WITHOUT_UNSPECIFIED for e in file.enum_type)
    }
    assert settings["use"] == ["STANDARD"]
    assert settings["ignore_only"] == {"ENUM_ZERO_VALUE_SUFFIX": sorted(excepted)}
    assert not {"except", "except_rules"} & settings.keys()


def test_no_choice_is_a_bool(files: list[FileDescriptorProto]) -> None:
    # A choice that is set and false would be neither chosen nor absent.
    bools = [
        f"{message.name}.{field.name}"
        for message in messages(files)
        for field in message.field
        if field.HasField("oneof_index") and not field.proto3_optional
        if field.type == FieldDescriptorProto.TYPE_BOOL
    ]
    assert bools == []


def test_a_number_that_is_skipped_is_reserved(files: list[FileDescriptorProto]) -> None:
    for message in messages(files):
        known = {field.number for field in message.field}
        known |= {n for each in message.reserved_range for n in range(each.start, each.end)}
        assert known == set(range(1, len(known) + 1)), message.name
    for enum in enums(files):
        numbers = {value.number for value in enum.value}
        # The numbers of a set are bits, whose sums are skipped for ever.
        if any(number > 2 for number in numbers) and all(n.bit_count() < 2 for n in numbers):
            continue
        numbers |= {n for each in enum.reserved_range for n in range(each.start, each.end + 1)}
        assert numbers == set(range(len(numbers))), enum.name
