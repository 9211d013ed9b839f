"""The numbers of the enums: Apple's where Apple has the enum (§2)."""

import pytest

from harness import wire

ENUMS: dict[str, dict[str, int]] = {
    "AUTHORIZATION_OPTION": {
        "BADGE": 1,
        "SOUND": 2,
        "ALERT": 4,
        "CAR_PLAY": 8,
        "CRITICAL_ALERT": 16,
        "PROVIDES_APP_NOTIFICATION_SETTINGS": 32,
        "PROVISIONAL": 64,
        "ANNOUNCEMENT": 128,
        "TIME_SENSITIVE": 256,
    },
    "AUTHORIZATION_STATUS": {
        "NOT_DETERMINED": 0,
        "DENIED": 1,
        "AUTHORIZED": 2,
        "PROVISIONAL": 3,
        "EPHEMERAL": 4,
    },
    "NOTIFICATION_SETTING": {"NOT_SUPPORTED": 0, "DISABLED": 1, "ENABLED": 2},
    "ALERT_STYLE": {"NONE": 0, "BANNER": 1, "ALERT": 2},
    "SHOW_PREVIEWS_SETTING": {"ALWAYS": 0, "WHEN_AUTHENTICATED": 1, "NEVER": 2},
    "PRESENTATION_OPTION": {"BADGE": 1, "SOUND": 2, "ALERT": 4, "LIST": 8, "BANNER": 16},
    "INTERRUPTION_LEVEL": {"PASSIVE": 0, "ACTIVE": 1, "TIME_SENSITIVE": 2, "CRITICAL": 3},
    "BADGE_MODE": {"SET": 0, "INCREMENT": 1},
    "SOUND_KIND": {"DEFAULT": 0, "RINGTONE": 1},
    "REQUEST_STATE": {"PENDING": 1, "ARRIVING": 2, "DELIVERED": 3},
    "REMOVAL_CAUSE": {"APP": 1, "PERSON": 2, "PROVIDER": 3, "RETENTION": 4},
    "SUPPRESSION_REASON": {"NOT_AUTHORIZED": 1, "NOT_PRESENTED": 2, "FILTERED": 3},
    "SUBSCRIBER_ROLE": {"OBSERVER": 0, "PRIMARY": 1},
    "CLOCK_KIND": {"UNSPECIFIED": 0, "SYSTEM": 1, "MANUAL": 2},
    "CLOCK_STOP": {"UNSPECIFIED": 0, "TARGET": 1, "CALLBACK": 2, "NOTHING_DUE": 3},
    "CATEGORY_OPTION": {
        "CUSTOM_DISMISS_ACTION": 1,
        "ALLOW_IN_CAR_PLAY": 2,
        "HIDDEN_PREVIEWS_SHOW_TITLE": 4,
        "HIDDEN_PREVIEWS_SHOW_SUBTITLE": 8,
        "ALLOW_ANNOUNCEMENT": 16,
    },
    "ACTION_OPTION": {"AUTHENTICATION_REQUIRED": 1, "DESTRUCTIVE": 2, "FOREGROUND": 4},
    "CONTENT_EXTENSION_RESPONSE_OPTION": {
        "DO_NOT_DISMISS": 0,
        "DISMISS": 1,
        "DISMISS_AND_FORWARD_ACTION": 2,
    },
    "MEDIA_PLAY_PAUSE_BUTTON_TYPE": {"NONE": 0, "DEFAULT": 1, "OVERLAY": 2},
    "BACKGROUND_FETCH_RESULT": {"NEW_DATA": 0, "NO_DATA": 1, "FAILED": 2},
    "LOCATION_PERMISSION": {
        "NOT_DETERMINED": 0,
        "RESTRICTED": 1,
        "DENIED": 2,
        "AUTHORIZED_ALWAYS": 3,
        "AUTHORIZED_WHEN_IN_USE": 4,
    },
    "BEACON_PROXIMITY": {"UNKNOWN": 0, "IMMEDIATE": 1, "NEAR": 2, "FAR": 3},
    "DELEGATE_CAPABILITY": {
        "WILL_PRESENT": 1,
        "DID_RECEIVE": 2,
        "OPEN_SETTINGS": 4,
        "BACKGROUND_PUSH": 8,
    },
    "APP_STATE": {"NOT_RUNNING": 0, "SUSPENDED": 1, "BACKGROUND": 2, "FOREGROUND": 3},
    "EXTENSION_OUTCOME": {
        "MODIFIED": 1,
        "BEST_ATTEMPT": 2,
        "IGNORED_NO_TEXT": 3,
        "FILTERED": 4,
        "FALLBACK": 5,
    },
    "COMMUNICATION_KIND": {"MESSAGE": 1, "CALL": 2},
    "AUTHORIZATION_PROMPT_KIND": {"UNSPECIFIED": 0, "INITIAL": 1, "UPGRADE": 2, "QUIET": 3},
    "PROMPT_ANSWER": {"UNSPECIFIED": 0, "ALLOW": 1, "DENY": 2, "KEEP": 3, "TURN_OFF": 4},
    "DISMISS_KIND": {"UNSPECIFIED": 0, "CLEAR": 1, "SWIPE_AWAY": 2},
    "FOCUS_FILTER_MODE": {"UNSPECIFIED": 0, "ONLY": 1, "EXCEPT": 2},
    "TOKEN_REVOCATION": {"UNSPECIFIED": 0, "EXPIRED": 1, "UNREGISTERED": 2},
    "PROFILE": {"UNSPECIFIED": 0, "SERVER": 1, "IOS": 2},
    "PENDING_LIMIT_POLICY": {
        "UNSPECIFIED": 0,
        "REJECT_NEW": 1,
        "KEEP_SOONEST": 2,
        "KEEP_LATEST_ADDED": 3,
    },
    "WEEKDAY": {"SUNDAY": 1, "MONDAY": 2, "SATURDAY": 7},
}

VALUES = [
    (f"{enum}_{name}", number) for enum, names in ENUMS.items() for name, number in names.items()
]


@pytest.mark.parametrize("name, number", VALUES)
def test_a_value_has_its_number(name: str, number: int) -> None:
    assert getattr(wire, name) == number
