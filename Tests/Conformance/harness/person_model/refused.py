"""A refusal, as the model predicts it and as the server says it."""


class Refused(Exception):
    """A call is refused with a reason, and changes nothing."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
