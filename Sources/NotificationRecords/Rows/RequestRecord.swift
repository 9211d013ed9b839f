package import NotificationCore

/// A request as the `records` table keeps it, from its `add` until no row refers to it.
package struct RequestRecord: TableRow, Equatable {
    package var center: CenterNumber
    package var request: NotificationRequest
    /// The instant from which the grid of an interval is counted.
    package var base: ElapsedInstant
    package var addedAt: WallInstant
    /// The newest event with the record as its request; set when a repeating request ended.
    package var lastEvent: EventNumber?

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 96 + request.byteCount)
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

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        center = try reader.serial()
        base = ElapsedInstant(nanoseconds: try reader.number())
        addedAt = WallInstant(nanoseconds: try reader.number())
        lastEvent = try reader.optional { reader throws(RowProblem) in try reader.serial() }
        let identifier = try reader.text()
        let trigger = try reader.optional { reader throws(RowProblem) in try Trigger(&reader) }
        let replacementKey = try reader.text()
        let expiresAfter: Int64? = try reader.optional { reader throws(RowProblem) in
            try reader.number()
        }
        let trace = try reader.trace()
        request = NotificationRequest(
            identifier: identifier,
            content: try NotificationContent(&reader),
            trigger: trigger
        )
        request.replacementKey = replacementKey
        request.expiresAfterNanoseconds = expiresAfter
        request.trace = trace
        guard reader.isAtEnd else { throw .undecodable }
    }

    /// The part of a request's record that says whose it is and what refers to it, without the
    /// content.
    package struct Owner: TableRowPart {
        package typealias Whole = RequestRecord

        package let center: CenterNumber
        /// The newest event that refers to the record; set when a repeating request ended.
        package let lastEvent: EventNumber?
        package let identifier: String
        package let repeats: Bool

        package init(_ bytes: [UInt8]) throws(RowProblem) {
            var reader = try ByteReader(row: bytes)
            center = try reader.serial()
            // Skip the base of the grid and the instant of the add.
            for _ in 0..<2 { _ = try reader.number(Int64.self) }
            lastEvent = try reader.optional { reader throws(RowProblem) in try reader.serial() }
            identifier = try reader.text()
            let trigger = try reader.optional { reader throws(RowProblem) in try Trigger(&reader) }
            repeats = trigger?.repeats == true
        }
    }
}

extension NotificationContent {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.put(title)
        writer.put(subtitle)
        writer.put(body)
        writer.put(categoryIdentifier)
        writer.put(threadIdentifier)
        writer.put(userInfoJSON)
        writer.put(launchImageName)
        writer.put(summaryArgument)
        writer.put(targetContentIdentifier)
        writer.put(filterCriteria)
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
        writer.put(localizedTitle) { $1.write(to: &$0) }
        writer.put(localizedSubtitle) { $1.write(to: &$0) }
        writer.put(localizedBody) { $1.write(to: &$0) }
        writer.putVarint(UInt64(attachments.count))
        for attachment in attachments { attachment.write(to: &writer) }
        actions.write(to: &writer)
        writer.put(progress) { $0.put($1) }
        writer.put(updatesQuietly)
    }

    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
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
        givenSummaryArgumentCount = try reader.optional { reader throws(RowProblem) in
            try reader.number()
        }
        givenInterruptionLevel = try reader.optional { reader throws(RowProblem) in
            try reader.choice()
        }
        relevanceScore = try reader.double()
        foregroundPresentation = try reader.optional { reader throws(RowProblem) in
            PresentationOptions(rawValue: try reader.number())
        }
        communication = try reader.optional { reader throws(RowProblem) in
            try Communication(&reader)
        }
        localizedTitle = try reader.localizedText()
        localizedSubtitle = try reader.localizedText()
        localizedBody = try reader.localizedText()
        for _ in 0..<(try reader.count()) {
            attachments.append(try NotificationAttachment(&reader))
        }
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
