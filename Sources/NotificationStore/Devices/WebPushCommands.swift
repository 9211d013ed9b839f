internal import BelfryHashing
internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

extension WebPushSubscription {
    /// The name of the subscription on its device, whose endpoint is a secret.
    package var identifier: String {
        let digest = SHA256.digest(of: Array(endpoint.utf8).span)
        return digest.prefix(Self.identifierByteCount / 2).hexadecimal
    }
}

extension Store {
    /// Keeps a browser that is told of a device's alerts (WP-1).
    ///
    /// A known endpoint gets the new keys. `completion` is told the subscription as it is kept,
    /// once that is durable; `WEB_PUSH_LIMIT` where there are too many.
    package func createWebPushSubscription(
        _ subscription: WebPushSubscription,
        on device: String,
        once key: OnceKey? = nil,
        completion: @escaping Completion<WebPushSubscription>
    ) {
        let command = CreateWebPushSubscriptionCommand(device: device, subscription: subscription)
        submit(command, once: key, completion)
    }

    /// Forgets a browser, by its identifier; one that is gone already is forgotten.
    ///
    /// `completion` is told the number of subscriptions that the device has left.
    package func deleteWebPushSubscription(
        _ identifier: String,
        on device: String,
        once key: OnceKey? = nil,
        completion: @escaping Completion<Int>
    ) {
        let command = DeleteWebPushSubscriptionCommand(device: device, identifier: identifier)
        submit(command, once: key, completion)
    }

    /// The browsers of a device, oldest first.
    ///
    /// A point read: it runs on the calling thread.
    package func webPushSubscriptions(
        of device: String
    ) throws(Refusal) -> [WebPushSubscription] {
        try damage.orRefuse {
            try environment.reading { transaction throws(StoreFailure) in
                try transaction.rowIfAny(NameKey(device), in: tables.webPushes)?.subscriptions ?? []
            }
        }
    }

    /// The devices that have browsers to tell.
    ///
    /// - Complexity: O(*n*) in these devices, which ``StoreLimits/webPushDevices`` bounds.
    package func webPushDevices() throws(Refusal) -> [String] {
        try damage.orRefuse {
            try environment.reading { transaction throws(StoreFailure) in
                try transaction.keys(bytesOf: tables.webPushes.raw)
                    .map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }
}

struct CreateWebPushSubscriptionCommand: Command {
    let device: String
    let subscription: WebPushSubscription

    var growth: Growth { .asked }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<WebPushSubscription> {
        let key = NameKey(device)
        let before = try batch.transaction.rowIfAny(key, in: batch.tables.webPushes)
        var record = before ?? WebPushRecord()
        var added = subscription
        added.createdAt = batch.now.wall
        let endpoint = added.endpoint.utf8
        if let place = record.subscriptions.firstIndex(where: {
            $0.endpoint.utf8.elementsEqual(endpoint)
        }) {
            added.createdAt = record.subscriptions[place].createdAt
            record.subscriptions[place] = added
        } else {
            guard record.subscriptions.count < WebPushRecord.limit else {
                return .done(.failure(.webPushLimit(WebPushRecord.limit)))
            }
            let devices = batch.limits.webPushDevices
            if before == nil,
                try batch.transaction.keys(bytesOf: batch.tables.webPushes.raw).count >= devices
            {
                return .done(.failure(.webPushDeviceLimit(devices)))
            }
            record.subscriptions.append(added)
        }
        let bytes = record.bytes.count
        let growth = before.map { bytes - $0.bytes.count } ?? key.bytes.count + bytes
        try StoreFailure.refuse(batch.refusal(ofKeeping: growth, of: .device(device)))
        try batch.transaction.put(record, at: key, in: batch.tables.webPushes)
        batch.hasChanged = true
        return .done(.success(added))
    }
}

struct DeleteWebPushSubscriptionCommand: Command {
    let device: String
    let identifier: String

    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<Int> {
        let key = NameKey(device)
        guard var record = try batch.transaction.rowIfAny(key, in: batch.tables.webPushes) else {
            return .done(.success(0))
        }
        let before = record
        record.subscriptions.removeAll { $0.identifier == identifier }
        guard record != before else { return .done(.success(record.subscriptions.count)) }
        if record.subscriptions.isEmpty {
            try batch.transaction.deleteExisting(key, in: batch.tables.webPushes)
        } else {
            try batch.transaction.put(record, at: key, in: batch.tables.webPushes)
        }
        batch.hasChanged = true
        return .done(.success(record.subscriptions.count))
    }
}

extension Refusal {
    fileprivate static func webPushLimit(_ limit: Int) -> Refusal {
        let message = "the device has \(limit) browsers to tell, its limit: delete one first"
        return limitReached(.webPushLimit, limit, message)
    }

    fileprivate static func webPushDeviceLimit(_ limit: Int) -> Refusal {
        let message = "\(limit) devices have browsers to tell, the server's limit"
        return limitReached(.webPushLimit, limit, message)
    }
}
