package import NotificationCore

/// A request as the `records` table keeps it, from its `add` until it is no longer referred to.
///
/// To change a persisted record: give it a new version byte, write only the new version, read both,
/// keep a fixture of the old version in the tests, and add a line to CHANGELOG.md.
package struct RequestRecord: TableRow, Equatable {
    /// The center of the request.
    package var center: CenterNumber
    /// The request.
    package var request: NotificationRequest
    /// The instant from which the grid of an interval is counted.
    package var base: ElapsedInstant
    /// When the request was added.
    package var addedAt: WallInstant
    /// The newest event that refers to the record; set when a repeating request ended.
    package var lastEvent: EventNumber?

    private static let version: UInt8 = 7

    /// The row as it is in the file.
    package var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 96 + request.byteCount)
        writer.put(center)
        writer.put(base.nanoseconds)
        writer.put(addedAt.nanoseconds)
        writer.put(lastEvent) { $0.put($1) }
        writer.put(request.identifier)
        writer.put(request.trigger) { $1.write(to: &$0) }
        writer.put(request.replacementKey)
        writer.put(request.expiresAfterNanoseconds) { $0.put($1) }
        writer.put(request.trace)
        request.content.write(to: &writer)
        return writer.sealed()
    }

    /// The row of a request that is added.
    package init(
        center: CenterNumber,
        request: NotificationRequest,
        base: ElapsedInstant,
        addedAt: WallInstant
    ) {
        self.center = center
        self.request = request
        self.base = base
        self.addedAt = addedAt
    }

    /// Reads a row of this version or of an older version.
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        // Version 1 had no communication, version 2 no localized texts, version 3 no attachments;
        // version 4 did not keep whether the app gave a level and a count; version 5 had no limits,
        // weekdays, anchored intervals, replacement keys and expiry; version 6 had no trace
        // context, and no buttons and progress of a content.
        let version = try reader.version(upTo: Self.version)
        center = try reader.serial()
        base = ElapsedInstant(nanoseconds: try reader.number())
        addedAt = WallInstant(nanoseconds: try reader.number())
        lastEvent = try reader.optional { reader throws(RowProblem) in try reader.serial() }
        let identifier = try reader.text()
        let trigger = try reader.optional { reader throws(RowProblem) in
            try Trigger(&reader, isLimited: version > 5)
        }
        let replacementKey = version > 5 ? try reader.text() : ""
        let expiresAfter: Int64? =
            version > 5
            ? try reader.optional { reader throws(RowProblem) in try reader.number() } : nil
        let trace = version > 6 ? try reader.trace() : nil
        request = NotificationRequest(
            identifier: identifier,
            content: try NotificationContent(&reader, version),
            trigger: trigger
        )
        request.replacementKey = replacementKey
        request.expiresAfterNanoseconds = expiresAfter
        request.trace = trace
        guard reader.isAtEnd else { throw .undecodable }
    }

    /// Whose request a record is and what refers to it, without the content.
    package struct Owner: TableRowPart {
        /// The row of which this is a part.
        package typealias Whole = RequestRecord

        /// The center of the request.
        package let center: CenterNumber
        /// The newest event that refers to the record; set when a repeating request ended.
        package let lastEvent: EventNumber?
        /// The request's identifier.
        package let identifier: String
        /// Whether the request repeats.
        package let repeats: Bool

        /// Reads a row of this version or of an older version.
        package init(_ bytes: [UInt8]) throws(RowProblem) {
            var reader = try ByteReader(row: bytes)
            let version = try reader.version(upTo: RequestRecord.version)
            center = try reader.serial()
            // The base of the grid and the instant of the add.
            for _ in 0..<2 { _ = try reader.number(Int64.self) }
            lastEvent = try reader.optional { reader throws(RowProblem) in try reader.serial() }
            identifier = try reader.text()
            let trigger = try reader.optional { reader throws(RowProblem) in
                try Trigger(&reader, isLimited: version > 5)
            }
            repeats = trigger?.repeats == true
        }
    }
}

extension NotificationContent {
    fileprivate func write(to writer: inout ByteWriter) {
        for text in [
            title, subtitle, body, categoryIdentifier, threadIdentifier, userInfoJSON,
            launchImageName, summaryArgument, targetContentIdentifier, filterCriteria,
        ] {
            writer.put(text)
        }
        writer.put(badge) { $0.put($1) }
        writer.put(badgeMode.rawValue)
        writer.put(sound) { writer, sound in
            writer.put(sound.kind.rawValue)
            writer.put(sound.name)
            writer.put(sound.isCritical)
            writer.put(sound.volume) { $0.put($1) }
        }
        writer.put(givenSummaryArgumentCount) { $0.put($1) }
        writer.put(givenInterruptionLevel) { $0.put($1.rawValue) }
        writer.put(relevanceScore)
        writer.put(foregroundPresentation) { $0.put($1.rawValue) }
        writer.put(communication) { writer, communication in
            writer.put(communication.kind.rawValue)
            writer.put(communication.sender)
            writer.putVarint(UInt64(communication.recipients.count))
            for recipient in communication.recipients { writer.put(recipient) }
            writer.put(communication.conversationIdentifier)
            writer.put(communication.groupName)
            writer.put(communication.avatarAttachment)
        }
        for text in [localizedTitle, localizedSubtitle, localizedBody] {
            writer.put(text) { $1.write(to: &$0) }
        }
        writer.putVarint(UInt64(attachments.count))
        for attachment in attachments { attachment.write(to: &writer) }
        actions.write(to: &writer)
        writer.put(progress) { $0.put($1) }
        writer.put(updatesQuietly)
    }

    fileprivate init(_ reader: inout ByteReader, _ version: UInt8) throws(RowProblem) {
        self.init()
        title = try reader.text()
        subtitle = try reader.text()
        body = try reader.text()
        categoryIdentifier = try reader.text()
        threadIdentifier = try reader.text()
        userInfoJSON = try reader.text()
        launchImageName = try reader.text()
        summaryArgument = try reader.text()
        targetContentIdentifier = try reader.text()
        filterCriteria = try reader.text()
        badge = try reader.optional { reader throws(RowProblem) in try reader.number() }
        badgeMode = try reader.choice()
        sound = try reader.optional { reader throws(RowProblem) in
            Sound(
                kind: try reader.choice(),
                name: try reader.text(),
                isCritical: try reader.bool(),
                volume: try reader.optional { reader throws(RowProblem) in try reader.double() }
            )
        }
        if version > 4 {
            givenSummaryArgumentCount = try reader.optional { reader throws(RowProblem) in
                try reader.number()
            }
            givenInterruptionLevel = try reader.optional { reader throws(RowProblem) in
                try reader.choice()
            }
        } else {
            let count: UInt32 = try reader.number()
            givenSummaryArgumentCount = count == 1 ? nil : count
            let level: InterruptionLevel = try reader.choice()
            givenInterruptionLevel = level == .active ? nil : level
        }
        relevanceScore = try reader.double()
        foregroundPresentation = try reader.optional { reader throws(RowProblem) in
            PresentationOptions(rawValue: try reader.number())
        }
        if version > 1 {
            communication = try reader.optional { reader throws(RowProblem) in
                try Communication(&reader)
            }
        }
        if version > 2 {
            localizedTitle = try reader.localizedText()
            localizedSubtitle = try reader.localizedText()
            localizedBody = try reader.localizedText()
        }
        guard version > 3 else { return }
        for _ in 0..<(try reader.count()) {
            attachments.append(try NotificationAttachment(&reader))
        }
        guard version > 6 else { return }
        actions = try [NotificationAction](&reader)
        progress = try reader.optional { reader throws(RowProblem) in try reader.double() }
        updatesQuietly = try reader.bool()
    }
}

extension Communication {
    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(kind: try reader.choice(), sender: try reader.text())
        for _ in 0..<(try reader.count()) { recipients.append(try reader.text()) }
        conversationIdentifier = try reader.text()
        groupName = try reader.text()
        avatarAttachment = try reader.text()
    }
}
