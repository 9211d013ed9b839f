package import NotificationCore

extension TimeIntervalTrigger {
    /// A trigger of whole seconds; an interval that no trigger has is a mistake in the benchmark.
    package static func seconds(_ seconds: Int64, repeats: Bool = false) -> TimeIntervalTrigger {
        do {
            return try TimeIntervalTrigger(
                intervalNanoseconds: seconds * .nanosecondsPerSecond,
                repeats: repeats
            )
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

extension NotificationRequest {
    /// A request of the usual size: an identifier of 20 bytes and about 300 bytes of content.
    ///
    /// - Parameters:
    ///   - seconds: The interval after which it fires.
    ///   - generator: Gives the identifier, which no other request has.
    /// - Returns: The request.
    package static func reminder(
        inSeconds seconds: Int64,
        using generator: inout SplitMix64
    ) -> NotificationRequest {
        NotificationRequest(
            identifier: randomIdentifier(using: &generator),
            content: reminderContent,
            trigger: .timeInterval(.seconds(seconds))
        )
    }

    private static func randomIdentifier(using generator: inout SplitMix64) -> String {
        var letters: [UInt8] = []
        for _ in 0..<2 {
            var bits = generator.next()
            for _ in 0..<10 {
                letters.append(UInt8(ascii: "A") + UInt8(bits & 15))
                bits >>= 4
            }
        }
        return String(decoding: letters, as: UTF8.self)
    }

    private static let reminderContent = {
        var content = NotificationContent()
        content.title = "Stand-up in ten minutes"
        content.subtitle = "Room 4.12, or the usual call"
        content.body =
            "Ana presents the figures of last week; bring the two open questions on storage."
        content.threadIdentifier = "calendar.work"
        content.categoryIdentifier = "MEETING"
        content.userInfoJSON = """
            {"event":"7d9f0c52-1f6e-4f0b-9a55-3c1b7a0e9d21","calendar":"work",\
            "url":"https://example.org/m/7d9f0c52","attendees":5}
            """
        return content
    }()
}
