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
        let byteCount = request.byteCount
        var writer = ByteWriter(rowCapacity: 96 + byteCount)
        writer.put(center)
        writer.put(base.nanoseconds)
        writer.put(addedAt.nanoseconds)
        writer.put(lastEvent) { $0.put($1) }
        writer.put(request.identifier)
        writer.put(request.trigger) { $1.write(to: &$0) }
        writer.put(request.replacementKey)
        writer.put(request.expiresAfterNanoseconds) { $0.put($1) }
        writer.putVarint(UInt64(byteCount))
        request.content.write(to: &writer)
        writer.put(request.trace)
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
        var fields = FieldBits()
        let head = try Head(&reader, &fields, rowByteCount: bytes.count)
        (center, base, addedAt) = (head.center, head.base, head.addedAt)
        lastEvent = head.lastEvent
        request = NotificationRequest(
            identifier: head.request.identifier,
            content: try NotificationContent(head.request.content.value, &reader, &fields),
            trigger: head.request.trigger
        )
        request.replacementKey = head.request.replacementKey
        request.expiresAfterNanoseconds = head.request.expiresAfterNanoseconds
        request.trace = try reader.trace()
        guard reader.isAtEnd else { throw .undecodable }
    }

    /// A record without the words of its request, which are behind the rest in the row.
    package struct Head {
        package let center: CenterNumber
        package let request: RequestHead
        package let base: ElapsedInstant
        package let addedAt: WallInstant
        package let lastEvent: EventNumber?
        /// The bytes of the whole record.
        package let rowByteCount: Int

        package init(_ bytes: [UInt8]) throws(RowProblem) {
            var reader = try ByteReader(row: bytes)
            var fields = FieldBits()
            self = try Head(&reader, &fields, rowByteCount: bytes.count)
        }

        /// Reads up to the content's words, and gives which of these follow.
        fileprivate init(
            _ reader: inout ByteReader,
            _ fields: inout FieldBits,
            rowByteCount: Int
        ) throws(RowProblem) {
            self.rowByteCount = rowByteCount
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
            let byteCount = try reader.count()
            // It is added to counts of bytes.
            guard byteCount <= 2 * Limits.contentBytes else { throw .undecodable }
            fields = FieldBits(try reader.number())
            request = RequestHead(
                identifier: identifier,
                trigger: trigger,
                replacementKey: replacementKey,
                expiresAfterNanoseconds: expiresAfter,
                content: Boxed(try ContentHead(&reader, &fields)),
                byteCount: byteCount
            )
        }
    }
}

extension NotificationContent {
    /// Writes which fields the content has, since most are empty, and then these fields.
    fileprivate func write(to writer: inout ByteWriter) {
        var fields = FieldBits()
        let place = writer.count
        writer.put(fields.bits)
        func put(_ text: String) {
            if fields.note(!text.isEmpty) { writer.put(text) }
        }
        func put<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
            if fields.note(value != nil), let value { write(&writer, value) }
        }
        // The head, which ``ContentHead`` reads.
        put(badge) { $0.put($1) }
        if fields.note(badgeMode != .set) { writer.put(badgeMode.rawValue) }
        put(sound) { writer, sound in
            writer.put(sound.kind.rawValue)
            writer.put(sound.name)
            writer.put(sound.isCritical)
            writer.put(sound.volume) { $0.put($1) }
        }
        put(givenInterruptionLevel) { $0.put($1.rawValue) }
        put(foregroundPresentation) { $0.put($1.rawValue) }
        put(communication) { writer, communication in
            writer.put(communication.kind.rawValue)
            writer.put(communication.sender)
            writer.putVarint(UInt64(communication.recipients.count))
            for recipient in communication.recipients { writer.put(recipient) }
            writer.put(communication.conversationIdentifier)
            writer.put(communication.groupName)
            writer.put(communication.avatarAttachment)
        }
        put(filterCriteria)
        _ = fields.note(updatesQuietly)
        // The alert's text and the attachments, of which the head knows whether they are there.
        put(title)
        put(subtitle)
        put(body)
        put(localizedTitle) { $1.write(to: &$0) }
        put(localizedSubtitle) { $1.write(to: &$0) }
        put(localizedBody) { $1.write(to: &$0) }
        if fields.note(!attachments.isEmpty) {
            writer.putVarint(UInt64(attachments.count))
            for attachment in attachments { attachment.write(to: &writer) }
        }
        put(categoryIdentifier)
        put(threadIdentifier)
        put(userInfoJSON)
        put(launchImageName)
        put(summaryArgument)
        put(targetContentIdentifier)
        put(givenSummaryArgumentCount) { $0.put($1) }
        if fields.note(relevanceScore.bitPattern != 0) { writer.put(relevanceScore) }
        if fields.note(!actions.isEmpty) { actions.write(to: &writer) }
        put(progress) { $0.put($1) }
        writer.replace(fields.bits, at: place)
    }

    /// Reads what is behind the head.
    fileprivate init(
        _ head: ContentHead,
        _ reader: inout ByteReader,
        _ fields: inout FieldBits
    ) throws(RowProblem) {
        self.init()
        badge = head.badge
        badgeMode = head.badgeMode
        sound = head.sound
        givenInterruptionLevel = head.givenInterruptionLevel
        foregroundPresentation = head.foregroundPresentation
        communication = head.communication
        filterCriteria = head.filterCriteria
        updatesQuietly = head.updatesQuietly
        if fields.next() { title = try reader.text() }
        if fields.next() { subtitle = try reader.text() }
        if fields.next() { body = try reader.text() }
        if fields.next() { localizedTitle = try LocalizedText(&reader) }
        if fields.next() { localizedSubtitle = try LocalizedText(&reader) }
        if fields.next() { localizedBody = try LocalizedText(&reader) }
        if fields.next() {
            for _ in 0..<(try reader.count()) {
                attachments.append(try NotificationAttachment(&reader))
            }
        }
        if fields.next() { categoryIdentifier = try reader.text() }
        if fields.next() { threadIdentifier = try reader.text() }
        if fields.next() { userInfoJSON = try reader.text() }
        if fields.next() { launchImageName = try reader.text() }
        if fields.next() { summaryArgument = try reader.text() }
        if fields.next() { targetContentIdentifier = try reader.text() }
        if fields.next() { givenSummaryArgumentCount = try reader.number() }
        if fields.next() { relevanceScore = try reader.double() }
        if fields.next() { actions = try [NotificationAction](&reader) }
        if fields.next() { progress = try reader.double() }
        guard fields.isAtEnd else { throw .undecodable }
    }
}

extension ContentHead {
    fileprivate init(_ reader: inout ByteReader, _ fields: inout FieldBits) throws(RowProblem) {
        self.init()
        if fields.next() { badge = try reader.number() }
        if fields.next() { badgeMode = try reader.choice() }
        if fields.next() {
            sound = Sound(
                kind: try reader.choice(),
                name: try reader.text(),
                isCritical: try reader.bool(),
                volume: try reader.optional { reader throws(RowProblem) in try reader.double() }
            )
        }
        if fields.next() { givenInterruptionLevel = try reader.choice() }
        if fields.next() {
            foregroundPresentation = PresentationOptions(rawValue: try reader.number())
        }
        if fields.next() { communication = try Communication(&reader) }
        if fields.next() { filterCriteria = try reader.text() }
        updatesQuietly = fields.next()
        // The next bits are those of the alert's six texts, then that of the attachments.
        var words = fields
        for _ in 0..<6 where words.next() { hasAlertText = true }
        holdsAttachments = words.next() || communication?.avatarAttachment.isEmpty == false
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
