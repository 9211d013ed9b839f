package import NotificationCore

/// The browsers that are told of a device's alerts, oldest first; a device without any has no row.
package struct WebPushRecord: TableRow, Equatable {
    package var subscriptions: [WebPushSubscription]

    /// The most that a device has: more than a person has browsers.
    package static let limit = 8

    package init(_ subscriptions: [WebPushSubscription] = []) {
        self.subscriptions = subscriptions
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 512)
        writer.putVarint(UInt64(subscriptions.count))
        for subscription in subscriptions {
            writer.put(subscription.endpoint)
            writer.put(bytes: subscription.point)
            writer.put(bytes: subscription.secret)
            writer.put(subscription.token) { $0.put(bytes: $1) }
            writer.put(subscription.createdAt.nanoseconds)
        }
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        subscriptions = []
        for _ in 0..<(try reader.count()) {
            subscriptions.append(
                WebPushSubscription(
                    endpoint: try reader.text(),
                    point: try reader.bytes(WebPushSubscription.pointByteCount),
                    secret: try reader.bytes(WebPushSubscription.secretByteCount),
                    token: try reader.optional { reader throws(RowProblem) in
                        try reader.bytes(WebPushSubscription.tokenByteCount)
                    },
                    createdAt: WallInstant(nanoseconds: try reader.number())
                )
            )
        }
        let places = Set(subscriptions.map { Array($0.endpoint.utf8) })
        guard reader.isAtEnd, (1...Self.limit).contains(subscriptions.count),
            subscriptions.allSatisfy(\.isKept), places.count == subscriptions.count
        else { throw .undecodable }
    }
}
