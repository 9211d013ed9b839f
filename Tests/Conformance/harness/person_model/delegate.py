"""The questions to the app: how to present, and what the person did (§9, §17)."""

from typing import TYPE_CHECKING

from harness import wire
from harness.person_model import presentation
from harness.person_model.records import Question, Stream
from harness.person_model.times import RESPONSE_TIME, WILL_PRESENT_TIME

if TYPE_CHECKING:
    from harness.person_model.center import Center

# The app is to be asked.
ASK = "ask"


def primary(center: "Center") -> Stream | None:
    """The subscription that answers for the app, also one that was cut a moment ago."""
    return next((stream for stream in center.streams if stream.is_primary), None)


def app_state(center: "Center") -> int:
    """The highest that a subscription declares, unless the app did not answer (D-14)."""
    state = max((stream.state for stream in center.streams), default=wire.APP_STATE_NOT_RUNNING)
    if center.is_unresponsive:
        state = min(state, wire.APP_STATE_BACKGROUND)
    return state


def choice(center: "Center", content: wire.NotificationContent) -> frozenset[int] | str | None:
    """How the app wants it presented: options, ASK, or None where it has no say (9)."""
    if app_state(center) != wire.APP_STATE_FOREGROUND:
        return None
    delegate = primary(center)
    if content.HasField("foreground_presentation"):
        return presentation.chosen(content.foreground_presentation)
    if delegate is None:
        return None
    if delegate.standing is not None:
        return presentation.chosen(delegate.standing)
    if wire.DELEGATE_CAPABILITY_WILL_PRESENT in delegate.capabilities:
        return ASK
    return frozenset()


def put(center: "Center", question: Question) -> None:
    """Puts a question to the app, which waits where nobody listens."""
    center.questions.append(question)
    question.put_in = center.device.world.step
    delegate = primary(center)
    if delegate and delegate.is_open and delegate.takes(question.kind):
        delegate.expected.append(("callback", question, 0))
        center.device.world.offered.append(question)


def ask_how_to_present(center: "Center", arrival: Question) -> None:
    """Asks, and gives the app 5 seconds."""
    arrival.deadline = center.now + WILL_PRESENT_TIME
    put(center, arrival)


def tell_of_act(
    center: "Center", notification: wire.Notification, action: str, text: str | None
) -> None:
    """Tells the app what the person did."""
    deadline = center.now + RESPONSE_TIME
    put(center, Question("did_receive", deadline, notification, action=action, text=text))


def end(center: "Center", question: Question, outcome: int) -> None:
    """A question is closed, which those who were asked are told."""
    center.questions.remove(question)
    question.may_be_untold = question.put_in == center.device.world.step
    for stream in center.streams:
        was_asked = any(entry[1] is question for entry in stream.expected)
        if stream.is_open and was_asked:
            stream.expected.append(("callback_ended", question, outcome))


def time_out(center: "Center", question: Question) -> None:
    """The app did not answer in time (D-14, D-15)."""
    end(center, question, wire.CALLBACK_OUTCOME_TIMED_OUT)
    if question.kind == "will_present":
        center.is_unresponsive = True
        center.deliver(question, frozenset([presentation.LIST]), timed_out=True)
    else:
        reference = center.reference(question.identifier, question.notification.delivery)
        center.record(
            response_expired={"notification": reference, "action_identifier": question.action}
        )


def attach(center: "Center", stream: Stream) -> None:
    """A subscription begins; a PRIMARY takes over and is offered what is open."""
    if stream.is_primary:
        if older := primary(center):
            older.is_primary = False
            if older.is_open:
                older.expected.append(("demoted", None, 0))
        for question in center.questions:
            if stream.takes(question.kind):
                stream.expected.append(("callback", question, 0))
    center.streams.append(stream)
