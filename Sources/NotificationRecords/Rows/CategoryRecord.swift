package import NotificationCore

/// A category of a center as the `categories` table keeps it; its key holds the identifier.
package struct CategoryRecord: TableRow {
    private var category: NotificationCategory

    package init(_ category: NotificationCategory) { self.category = category }

    /// The category with the identifier of the row's key.
    package func category(_ identifier: String) -> NotificationCategory {
        var category = category
        category.identifier = identifier
        return category
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 32 + category.byteCount)
        writer.put(category.options.rawValue)
        writer.put(category.hiddenPreviewsBodyPlaceholder)
        writer.put(category.summaryFormat)
        writer.putVarint(UInt64(category.intentIdentifiers.count))
        for intent in category.intentIdentifiers { writer.put(intent) }
        category.actions.write(to: &writer)
        for text in [
            category.localizedHiddenPreviewsBodyPlaceholder, category.localizedSummaryFormat,
        ] {
            writer.put(text) { $1.write(to: &$0) }
        }
        writer.put(category.snooze) { writer, snooze in
            writer.put(snooze.nanoseconds)
            writer.put(snooze.title)
            writer.put(snooze.localizedTitle) { $1.write(to: &$0) }
        }
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        category = NotificationCategory(identifier: "")
        category.options = CategoryOptions(rawValue: try reader.number())
        category.hiddenPreviewsBodyPlaceholder = try reader.text()
        category.summaryFormat = try reader.text()
        for _ in 0..<(try reader.count()) {
            category.intentIdentifiers.append(try reader.text())
        }
        category.actions = try [NotificationAction](&reader)
        category.localizedHiddenPreviewsBodyPlaceholder = try reader.localizedText()
        category.localizedSummaryFormat = try reader.localizedText()
        category.snooze = try reader.optional { reader throws(RowProblem) in
            SnoozeOffer(
                nanoseconds: try reader.number(),
                title: try reader.text(),
                localizedTitle: try reader.localizedText()
            )
        }
        guard reader.isAtEnd else { throw .undecodable }
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
        writer.put(action.localizedTitle) { $1.write(to: &$0) }
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
