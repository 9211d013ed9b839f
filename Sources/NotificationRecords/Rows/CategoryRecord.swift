package import NotificationCore

/// A category of a center as the `categories` table keeps it; its key holds the identifier.
package struct CategoryRecord: SealedRow {
    private var category: NotificationCategory

    package init(_ category: NotificationCategory) { self.category = category }

    /// The category with the identifier of the row's key.
    package func category(_ identifier: String) -> NotificationCategory {
        var category = category
        category.identifier = identifier
        return category
    }

    package var expectedByteCount: Int { 32 + category.byteCount }

    package func write(to writer: inout ByteWriter) {
        writer.put(category.options.rawValue)
        writer.put(category.hiddenPreviewsBodyPlaceholder)
        writer.put(category.summaryFormat)
        category.intentIdentifiers.write(to: &writer)
        category.actions.write(to: &writer)
        category.localizedHiddenPreviewsBodyPlaceholder.write(to: &writer)
        category.localizedSummaryFormat.write(to: &writer)
        writer.put(category.snooze) { writer, snooze in
            writer.put(snooze.nanoseconds)
            writer.put(snooze.title)
            snooze.localizedTitle.write(to: &writer)
        }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        category = NotificationCategory(identifier: "")
        category.options = CategoryOptions(rawValue: try reader.number())
        category.hiddenPreviewsBodyPlaceholder = try reader.text()
        category.summaryFormat = try reader.text()
        category.intentIdentifiers = try reader.value()
        category.actions = try reader.value()
        category.localizedHiddenPreviewsBodyPlaceholder = try reader.value()
        category.localizedSummaryFormat = try reader.value()
        category.snooze = try reader.optional { reader throws(RowProblem) in
            SnoozeOffer(
                nanoseconds: try reader.number(),
                title: try reader.text(),
                localizedTitle: try reader.value()
            )
        }
    }
}

/// A checksum of an action's meaning: actions of one identifier may mean different things in
/// different categories (K-3).
package struct ActionMeaningRow: TableRow, Equatable {
    /// Different meanings have the same checksum only by chance.
    private let checksum: UInt64

    package init(_ action: NotificationAction) {
        var writer = ByteWriter()
        writer.put(action.title)
        action.localizedTitle.write(to: &writer)
        writer.put(action.options.rawValue)
        writer.put(UInt8(action.textInput == nil ? 0 : 1))
        checksum = RowChecksum.of(writer.bytes, count: writer.bytes.count)
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 8)
        writer.put(checksum)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count == 8 else { throw .undecodable }
        var reader = ByteReader(bytes)
        checksum = try reader.number()
    }
}
