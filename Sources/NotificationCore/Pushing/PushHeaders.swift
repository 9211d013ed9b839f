/// The fields of a push beside its payload (§21.2).
package struct PushHeaders: Hashable, Sendable {
    /// The type; nil is the payload's.
    package var type: PushType?
    /// The app with the type's ending; empty is the token's app.
    package var topic = ""
    /// Until when the push may be handed over; nil is ``Limits/pushNanoseconds`` from now.
    package var expiration: WallInstant?
    /// 10, 5 or 1; nil is the usual one.
    package var priority: Int32?
    /// The notification's identifier; empty lets the server make one.
    package var collapseIdentifier = ""
    /// The trace context of the provider's call (W-24).
    package var trace: TraceContext?

    package init() {}

    /// Checks the headers alone, in the order of §21.4.
    ///
    /// - Throws: `BAD_TOPIC`, `BAD_EXPIRATION_DATE`, `BAD_PRIORITY` or `BAD_COLLAPSE_ID`.
    package func validate(at now: WallInstant) throws(Refusal) {
        if !topic.isEmpty, app == nil {
            throw .invalid(
                [.headers, .topic],
                "is the app's identifier with the ending of the push's type",
                reason: .badTopic
            )
        }
        // While the clock is not set, it is unknown how far ahead a date lies (DT-4).
        if let expiration, now.isTime,
            expiration > now.advanced(byNanoseconds: Limits.pushNanoseconds)
        {
            throw .invalid(
                [.headers, .expiration],
                "is at most 30 days from now",
                reason: .badExpirationDate
            )
        }
        if let priority, ![10, 5, 1].contains(priority) {
            throw .badPriority("is 10, 5 or 1")
        }
        guard collapseIdentifier.utf8.count <= Limits.collapseIdentifierBytes else {
            throw .invalid(
                [.headers, .collapse],
                "is at most \(Limits.collapseIdentifierBytes) bytes",
                reason: .badCollapseID
            )
        }
    }

    /// Checks what the headers say of a payload: a push that only wakes the app is never urgent
    /// (BG-1).
    ///
    /// - Throws: `BAD_PRIORITY`.
    package func validate(for payload: PushPayload) throws(Refusal) {
        let isBackground =
            type == .background || type == nil && payload.wakesApp && !payload.isPerceptible
        if isBackground, priority == 10 {
            throw .badPriority("is 5 or 1 for a push that shows nothing")
        }
    }

    /// The app that the topic names; nil where the topic is empty, or no topic of the type.
    private var app: String? {
        guard let ending = (type ?? .alert).topicEnding else { return topic }
        guard topic.utf8.count > ending.utf8.count,
            topic.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
        else { return nil }
        let app = String(decoding: topic.utf8.dropLast(ending.utf8.count), as: UTF8.self)
        return CenterName.isName(app, atMost: Limits.appIDBytes, extra: "._-") ? app : nil
    }

    /// The only app that the push may be for, whatever token it is to; nil where the headers leave
    /// that open.
    package var onlyApp: String? {
        topic.isEmpty || type?.topicEnding == nil && type != nil ? nil : app
    }

    /// Whether the push may be for an app.
    package func isFor(_ app: String) -> Bool {
        topic.isEmpty || type?.topicEnding == nil && type != nil || self.app == app
    }

    /// Until when the push may be handed over; nil where that is over already.
    ///
    /// Where the provider named no date, the time is counted on the elapsed clock, which no setting
    /// of the wall clock moves.
    package func end(at now: Now) -> Due? {
        guard let expiration else {
            return .elapsed(now.elapsed.advanced(byNanoseconds: Limits.pushNanoseconds))
        }
        return expiration > now.wall ? .wall(expiration) : nil
    }
}

extension Refusal {
    fileprivate static func badPriority(_ problem: String) -> Refusal {
        invalid([.headers, .priority], problem, reason: .badPriority)
    }
}

/// A push that was read and checked, for one device or for many.
package struct Push: Hashable, Sendable {
    package var headers: PushHeaders
    package var payload: PushPayload

    /// Reads a push, in the order of checks of §21.4.
    ///
    /// - Throws: The first refusal.
    package init(_ headers: PushHeaders, payload text: String, at now: WallInstant) throws(Refusal)
    {
        try headers.validate(at: now)
        let limit = headers.type?.payloadBytes ?? Limits.payloadBytes
        payload = try PushPayload(text, atMost: limit)
        try headers.validate(for: payload)
        self.headers = headers
    }

    /// Whether the push shows, sounds or counts something on a device.
    package var isShown: Bool {
        headers.type ?? .alert == .alert && payload.isPerceptible
    }

    /// Whether the app is to work on the push.
    package var wakesApp: Bool {
        headers.type?.isWithoutEffect != true && payload.wakesApp
    }
}
