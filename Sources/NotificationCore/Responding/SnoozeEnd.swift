/// Until when a person snoozes a notification (SNZ-1).
package enum SnoozeEnd: Hashable, Sendable {
    /// For this many nanoseconds of elapsed time, which setting the wall clock does not change.
    case after(nanoseconds: Int64)
    /// Until the wall clock shows this instant.
    case at(WallInstant)

    /// When the notification comes back.
    ///
    /// - Returns: The instant, on the clock that counts.
    /// - Throws: `SNOOZE_INVALID` where it is not after `now`, or too far from it; while the wall
    ///   clock is not set, it is unknown how far an instant lies ahead.
    package func due(at now: Now) throws(Refusal) -> Due {
        switch self {
        case .after(let nanoseconds):
            guard (1...Limits.snoozeNanoseconds).contains(nanoseconds) else {
                throw .snoozeInvalid([.duration])
            }
            return .elapsed(now.elapsed.advanced(byNanoseconds: nanoseconds))
        case .at(let instant):
            guard instant > now.wall,
                !now.wall.isTime
                    || instant.nanoseconds(since: now.wall) <= Limits.snoozeNanoseconds
            else { throw .snoozeInvalid([.until]) }
            return .wall(instant)
        }
    }
}

/// The button with which a category lets its notifications be snoozed (SNZ-4).
package struct SnoozeOffer: Hashable, Sendable {
    /// How long the snooze lasts, in nanoseconds of elapsed time.
    package var nanoseconds: Int64
    /// The text of the button; empty is the system's text.
    package var title: String
    /// The button's text in the person's language, with ``title`` where no table has it.
    package var localizedTitle: LocalizedText?

    package init(nanoseconds: Int64, title: String = "", localizedTitle: LocalizedText? = nil) {
        self.nanoseconds = nanoseconds
        self.title = title
        self.localizedTitle = localizedTitle
    }

    /// The text of a button that has none of its own.
    package static let defaultTitle = "Snooze"

    /// The UTF-8 bytes of the button's texts.
    package var byteCount: Int { title.utf8.count + (localizedTitle?.byteCount ?? 0) }

    /// The button, as it is shown after the category's actions.
    package var action: NotificationAction {
        NotificationAction(
            identifier: NotificationAction.snoozeIdentifier,
            title: title.isEmpty ? Self.defaultTitle : title,
            localizedTitle: localizedTitle
        )
    }

    /// Checks the offer; the path in the refusal is relative to the category.
    func validate() throws(Refusal) {
        guard (1...Limits.snoozeNanoseconds).contains(nanoseconds) else {
            throw .snoozeInvalid([.snooze, .duration])
        }
        try localizedTitle?.validate([.snooze, .localizedTitle])
    }
}

extension Refusal {
    /// Refuses an end of a snooze that is not ahead, or too far ahead.
    fileprivate static func snoozeInvalid(_ path: FieldPath) -> Refusal {
        invalid(path, "a snooze ends later than now, and within 366 days", reason: .snoozeInvalid)
    }
}

extension ContentHead {
    /// The content as it is presented when it comes back from a snooze: the first delivery applied
    /// the badge, and the person asked to be alerted again (SNZ-2).
    package var afterSnooze: ContentHead {
        guard badge != nil || updatesQuietly else { return self }
        var content = self
        content.badge = nil
        content.updatesQuietly = false
        return content
    }
}
