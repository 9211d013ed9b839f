/// The keys of `belfry center`, for its help in the program and on the command line.
enum CenterKeys {
    /// Each key, or keys of one kind, with what it does.
    static let all: [(key: String, does: String)] = [
        ("up, down", "Move; so do k, j, page up, page down, home and end."),
        ("enter", "Open: tap the notification."),
        (
            "v",
            """
            View it closer, to its end, with its extension: the buttons and the picture are live. \
            There up and down read on, p plays or pauses, and esc goes back to the list.
            """
        ),
        ("1 to 9, 0", "Press that action; 0 is the tenth, a the first."),
        (
            "r",
            """
            Reply, with the first action that takes a text. Arrows, home, end and delete edit it; \
            esc cancels.
            """
        ),
        ("space", "Expand or collapse the group."),
        ("z", "Snooze the notification for 10 minutes."),
        (
            "x",
            """
            Dismiss the notification, or all of a collapsed group. A banner is swiped away and \
            stays in the list.
            """
        ),
        ("X", "Dismiss all that are listed; X again confirms it."),
        (
            "u",
            """
            Take back what x or X dismissed last. That is possible for 5 seconds, and until the \
            server is back when it is away.
            """
        ),
        (
            "/",
            """
            Search: list only what has these words in its text or its app's name. Enter keeps \
            the list so, and esc shows all again.
            """
        ),
        ("y, n", "Allow or deny what an app asks; keep or turn off a quiet app."),
        ("l", "Lock or unlock the device."),
        ("s", "Show the settings of the app: space changes the one at the cursor, esc leaves."),
        ("F", "Choose a Focus or end it, see its schedule, and mute the device."),
        ("?", "Show these keys."),
        ("q", "Leave."),
    ]

    /// The lines of the help, in so many columns.
    static func lines(columns: Int) -> [String] {
        let width = all.map(\.key.count).max() ?? 0
        return all.flatMap { key, does in
            does.wrapped(to: max(1, columns - width - 2), lines: does.count).enumerated().map {
                ($0 == 0 ? key : "").padding(to: width) + "  " + $1
            }
        }
    }
}

extension String {
    /// The text with spaces up to a width.
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
