"""Steps about permission: the app asks, the person answers and changes settings."""

import random
from typing import Any

from harness import wire
from harness.person_model import permission as rules
from harness.person_model.refused import Refused
from harness.person_model.steps import any_center, kind
from harness.person_model.walk import Walk

_OPTIONS = [1, 2, 4, 8, 16, 32, 128, 256]


def _pick_request(walk: Walk, choices: random.Random) -> dict[str, Any]:
    options = choices.sample(_OPTIONS, choices.choice([1, 1, 2, 3, 4]))
    if choices.random() < 0.6:
        options = sorted({1, 2, 4} | set(options[:1]))
    if choices.random() < 0.2:
        options.append(64)
    if choices.random() < 0.01:
        options = []
    return {"center": any_center(walk, choices), "options": options}


@kind(5, _pick_request)
def request_authorization(walk: Walk, center: int, options: list[int]) -> None:
    """The app asks."""
    app = walk.centers[center]
    fields = {"center": app.wire, "options": options, "wait": wire.seconds(0)}
    is_decided = app.permission.status != rules.NOT_DETERMINED
    nobody_is_asked = rules.QUIETLY in options or (
        is_decided and not app.permission.may_have(set(options))
    )

    def act() -> wire.RequestAuthorizationResponse:
        app.calls()
        if not options:
            raise Refused("OPTIONS_INVALID")
        app.is_registered = True
        with app.person_chooses():
            app.permission.request(set(options))
            prompt = app.permission.prompt
            if prompt and prompt.kind != rules.QUIET and walk.prompts != "ask":
                answers = {"grant": wire.PROMPT_ANSWER_ALLOW, "deny": wire.PROMPT_ANSWER_DENY}
                app.permission.answer(prompt.kind, answers[walk.prompts], set())
        return wire.RequestAuthorizationResponse(
            granted=app.permission.may_notify, status=app.permission.status
        )

    def adopt(expected: Any, actual: Any) -> None:
        prompt = app.permission.prompt
        if prompt and prompt.kind != rules.QUIET and not nobody_is_asked:
            prompt.prompt_id = prompt.prompt_id or actual.prompt_id
            expected.prompt_id = prompt.prompt_id or "a prompt"

    walk.make("RequestAuthorization", act, adopt=adopt, **fields)


def _pick_answer(walk: Walk, choices: random.Random) -> dict[str, Any] | None:
    center = any_center(walk, choices)
    permission = walk.centers[center].permission
    prompt = permission.prompt
    if not prompt or not prompt.prompt_id:
        return None
    allow, deny = wire.PROMPT_ANSWER_ALLOW, wire.PROMPT_ANSWER_DENY
    keep, turn_off = wire.PROMPT_ANSWER_KEEP, wire.PROMPT_ANSWER_TURN_OFF
    answer = choices.choice([allow, allow, allow, allow, deny, keep, keep, turn_off])
    if prompt.kind == rules.QUIET and choices.random() < 0.8:
        answer = choices.choice([keep, keep, turn_off])
    if choices.random() < 0.02:
        answer = wire.PROMPT_ANSWER_UNSPECIFIED
    options = []
    if choices.random() < 0.4:
        options = choices.sample(_OPTIONS, choices.choice([1, 2]))
        if choices.random() < 0.8:
            options = [option for option in options if option in permission.asked]
    if answer != allow and choices.random() < 0.9:
        options = []
    fields = {"center": center, "answer": answer, "options": options}
    return fields | {"keep_in_summary": choices.random() < 0.1}


@kind(6, _pick_answer)
def answer(
    walk: Walk, center: int, answer: int, options: list[int], keep_in_summary: bool
) -> None:
    """The person answers the prompt."""
    app = walk.centers[center]
    permission = app.permission
    prompt = permission.prompt
    if not prompt or not prompt.prompt_id:
        return
    kind, prompt_id = prompt.kind, prompt.prompt_id
    state = app.device.state

    def act() -> wire.AnswerAuthorizationPromptResponse:
        if answer == wire.PROMPT_ANSWER_UNSPECIFIED:
            raise Refused("ANSWER_INVALID")
        if keep_in_summary and answer != wire.PROMPT_ANSWER_KEEP:
            raise Refused("ANSWER_INVALID")
        keeps = keep_in_summary and (kind != rules.INITIAL or app.permission.status == 3)
        with app.person_chooses():
            if keeps and not state.summary.enabled and not options:
                raise Refused("SUMMARY_OFF")
            permission.answer(kind, answer, set(options))
            if answer == wire.PROMPT_ANSWER_KEEP:
                app.device.put_into_summary(app, keep_in_summary)
        app.device.present_what_left_the_summary()
        return wire.AnswerAuthorizationPromptResponse(settings=app.settings)

    walk.make(
        "AnswerAuthorizationPrompt",
        act,
        device_id=app.device.device_id,
        prompt_id=prompt_id,
        answer=answer,
        options=options,
        keep_in_summary=keep_in_summary,
    )


_SETTINGS = [
    "sound_setting",
    "badge_setting",
    "alert_setting",
    "notification_center_setting",
    "lock_screen_setting",
    "car_play_setting",
    "critical_alert_setting",
    "announcement_setting",
    "time_sensitive_setting",
]


def _pick_settings(walk: Walk, choices: random.Random) -> dict[str, Any]:
    name = choice = None
    roll = choices.random()
    if roll < 0.7:
        name, choice = choices.choice(_SETTINGS), choices.choice([1, 2, 2])
    elif roll < 0.8:
        name, choice = "authorization_status", choices.choice([1, 2, 2])
    elif roll < 0.85:
        name, choice = "alert_style", choices.randrange(3)
    else:
        name, choice = "show_previews_setting", choices.randrange(3)
    fields = {"center": any_center(walk, choices), "name": name, "value": choice}
    return fields | {"grouping": choices.choice([None, None, None, 0, 1, 2])}


@kind(8, _pick_settings)
def update_settings(
    walk: Walk, center: int, name: str, value: int, grouping: int | None
) -> None:
    """The person changes a setting."""
    app = walk.centers[center]

    def act() -> wire.UpdateSettingsResponse:
        app.require_registered()
        if app.permission.status == rules.NOT_DETERMINED:
            raise Refused("AUTHORIZATION_NOT_DETERMINED")
        with app.person_chooses():
            app.permission.choose(name, value)
        if grouping is not None:
            app.grouping = grouping
        return wire.UpdateSettingsResponse(
            settings=app.settings, as_of_event=len(app.events), grouping=app.grouping
        )

    walk.make(
        "UpdateSettings",
        act,
        center=app.wire,
        settings={name: value},
        update_mask={"paths": [name]},
        grouping=grouping,
    )
