/// The facts of a push's payload (§20.2): one JSON object, which is kept byte for byte as the user
/// info.
package struct PushPayload: Hashable, Sendable {
    /// The shown content; its user info is the payload.
    package var content = NotificationContent()
    /// Whether the app is to work on the push in the background: `content-available`.
    package var wakesApp = false
    /// Whether a service extension may change the push first: `mutable-content`.
    package var isMutable = false

    /// Whether the push shows, sounds or counts something.
    package var isPerceptible: Bool { content.isPerceptible }

    /// Reads a payload.
    ///
    /// A value of a wrong type is passed over, and so is one that is longer than the same field of
    /// a request may be (PAY-3); numbers out of range become the nearest in range (D-11).
    ///
    /// `limit` is how many bytes a payload of the type may have.
    ///
    /// - Throws: `PAYLOAD_EMPTY`, `PAYLOAD_TOO_LARGE` or `PAYLOAD_INVALID`.
    /// - Complexity: O(bytes), which are at most `limit`.
    package init(_ text: String, atMost limit: Int) throws(Refusal) {
        let count = text.utf8.count
        guard count > 0 else {
            throw .invalid([.payload], "is empty", reason: .payloadEmpty)
        }
        guard count <= limit else { throw .payloadTooLarge(count, limit: limit) }
        let object: JSONValue
        do {
            object = try JSONReader.object(text)
        } catch {
            throw .invalid([.payload], error.description, reason: .payloadInvalid)
        }
        content.userInfoJSON = text
        guard let aps = object["aps"] else { return }
        wakesApp = aps["content-available"]?.isSet ?? false
        isMutable = aps["mutable-content"]?.isSet ?? false
        if let alert = aps["alert"] { content.setAlert(alert) }
        content.badge = aps["badge"]?.number.map { Int32($0.rounded(.towardZero), in: 0...(.max)) }
        content.sound = aps["sound"].flatMap(Sound.init)
        content.setNames(aps)
    }
}

extension NotificationContent {
    fileprivate mutating func setAlert(_ alert: JSONValue) {
        if let text = alert.text {
            body = text
            return
        }
        title = alert["title"]?.text ?? ""
        subtitle = alert["subtitle"]?.text ?? ""
        localizedTitle = LocalizedText(alert, "title-loc-key", "title-loc-args")
        localizedSubtitle = LocalizedText(alert, "subtitle-loc-key", "subtitle-loc-args")
        if let text = alert["body"]?.text {
            // Prefer the plain text to a key (L10N-3).
            body = text
        } else {
            localizedBody = LocalizedText(alert, "loc-key", "loc-args")
        }
        launchImageName = alert.name("launch-image", upTo: Limits.shortNameBytes)
        summaryArgument = alert.name("summary-arg", upTo: Limits.nameBytes)
        givenSummaryArgumentCount = alert["summary-arg-count"]?.number.map { number in
            UInt32(Int32(number.rounded(.towardZero), in: 1...(.max)))
        }
    }

    fileprivate mutating func setNames(_ aps: JSONValue) {
        threadIdentifier = aps.name("thread-id", upTo: Limits.nameBytes)
        categoryIdentifier = aps.name("category", upTo: Limits.categoryIdentifierBytes)
        targetContentIdentifier = aps.name("target-content-id", upTo: Limits.nameBytes)
        filterCriteria = aps.name("filter-criteria", upTo: Limits.focusFilterValueBytes)
        givenInterruptionLevel = aps["interruption-level"]?.text.flatMap(InterruptionLevel.init)
        if let score = aps["relevance-score"]?.number { relevanceScore = score.clamped() }
    }
}

extension JSONValue {
    /// The text under a key; empty where there is none, or one that is too long.
    fileprivate func name(_ key: String, upTo limit: Int) -> String {
        guard let text = self[key]?.text, text.utf8.count <= limit else { return "" }
        return text
    }
}

extension LocalizedText {
    /// The text of a key of the app's string tables, with its arguments (L10N-2).
    fileprivate init?(_ alert: JSONValue, _ keyName: String, _ argumentsName: String) {
        guard let key = alert[keyName]?.text, !key.isEmpty,
            key.utf8.count <= Limits.localizationKeyBytes
        else { return nil }
        self.init(key: key)
        guard case .array(let values)? = alert[argumentsName] else { return }
        let texts = values.compactMap(\.text)
        guard texts.count == values.count else { return }
        arguments = Array(texts.prefix(Limits.textArguments))
    }
}

extension Sound {
    /// The sound of a push: a name, or a dictionary with the facts of a critical sound (PAY-0).
    fileprivate init?(_ value: JSONValue) {
        self.init()
        switch value {
        case .string(let text):
            guard !text.isEmpty else { return nil }
            name = Self.name(text)
        case .object:
            isCritical = value["critical"]?.isSet ?? false
            name = Self.name(value["name"]?.text ?? "")
            if isCritical { volume = value["volume"]?.number?.clamped() }
        default: return nil
        }
    }

    /// The name of a file; a text that names none means the default sound.
    private static func name(_ text: String) -> String {
        let isName =
            text != "default" && text.utf8.count <= Limits.soundNameBytes
            && FileName.problem(in: text) == nil
        return isName ? text : ""
    }
}

extension InterruptionLevel {
    /// The level of a push's word (INT-1); nil for another word.
    fileprivate init?(_ word: String) {
        switch word {
        case "passive": self = .passive
        case "active": self = .active
        case "time-sensitive": self = .timeSensitive
        case "critical": self = .critical
        default: return nil
        }
    }
}

extension Double {
    /// The number, or the nearest of 0 and 1.
    fileprivate func clamped() -> Double { Swift.min(Swift.max(self, 0), 1) }
}

extension Int32 {
    /// A number without a fraction, or the nearest number in a range; nothing traps.
    fileprivate init(_ number: Double, in range: ClosedRange<Int32>) {
        let least = Swift.max(number, Double(range.lowerBound))
        self = Int32(Swift.min(least, Double(range.upperBound)))
    }
}

extension Refusal {
    fileprivate static func payloadTooLarge(_ count: Int, limit: Int) -> Refusal {
        var refusal = invalid(
            [.payload],
            "is \(count) bytes, and at most \(limit) are taken",
            reason: .payloadTooLarge
        )
        refusal.facts = [.limit: "\(limit)"]
        return refusal
    }
}
