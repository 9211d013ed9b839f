package import NotificationCore

/// The browsers that are told of a device's alerts, oldest first; a device without any has no row.
package struct WebPushRecord: SealedRow, Equatable {
    package var subscriptions: [WebPushSubscription]

    /// The most that a device has: more than a person has browsers.
    package static let limit = 8

    package init(_ subscriptions: [WebPushSubscription] = []) {
        self.subscriptions = subscriptions
    }

    package var expectedByteCount: Int { 512 }

    package func write(to writer: inout ByteWriter) {
        subscriptions.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        subscriptions = try reader.value()
        let places = Set(subscriptions.map { Array($0.endpoint.utf8) })
        guard (1...Self.limit).contains(subscriptions.count),
            subscriptions.allSatisfy(\.isKept), places.count == subscriptions.count
        else { throw .undecodable }
    }
}

extension WebPushSubscription: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(endpoint)
        writer.put(bytes: point)
        writer.put(bytes: secret)
        writer.put(token) { $0.put(bytes: $1) }
        createdAt.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(
            endpoint: try reader.text(),
            point: try reader.bytes(Self.pointByteCount),
            secret: try reader.bytes(Self.secretByteCount),
            token: try reader.optional { reader throws(RowProblem) in
                try reader.bytes(Self.tokenByteCount)
            },
            createdAt: try reader.value()
        )
    }
}
