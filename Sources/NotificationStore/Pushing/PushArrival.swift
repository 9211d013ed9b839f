internal import NotificationCore
internal import NotificationRecords

extension CenterWork {
    /// Takes a push to this center in: shows it as a local notification (§20.3), wakes the app for
    /// it, or both.
    ///
    /// `push` was checked. `identifier` names it.
    ///
    /// - Returns: What became of it at once; or that the store is full.
    /// - Complexity: As an add, and O(*n*) in the pushes that wait where the push wakes the app.
    func receive(
        _ push: Push,
        as identifier: PushIdentifier
    ) throws(StoreFailure) -> Result<PushReply, Refusal> {
        let receipts = PushReceipts(batch: batch)
        if let known = try receipts.reply(to: identifier, of: number) { return .success(known) }
        guard batch.hasRoomForAdds else { return .failure(.storeFull) }
        // Charge for the content and for the record of a push without content.
        let byteCount = push.payload.content.byteCount + 256
        if let refusal = try storeBytesRefusal(of: byteCount) { return .failure(refusal) }
        var reply = PushReply(apnsID: identifier.text, outcome: .delivered, identifier: "")
        if push.wakesApp {
            var waiting = BackgroundPushRecord(
                apnsID: reply.apnsID,
                collapseIdentifier: push.headers.collapseIdentifier,
                end: push.headers.end(at: batch.now),
                payload: push.payload.content.userInfoJSON
            )
            waiting.trace = push.headers.trace
            reply.outcome = try backgroundPushes.take(waiting)
        }
        if push.isShown {
            let collapse = push.headers.collapseIdentifier
            reply.identifier = collapse.isEmpty ? reply.apnsID : collapse
            reply.outcome = try show(push, as: reply.identifier)
        }
        try receipts.keep(reply, to: identifier, of: self)
        return .success(reply)
    }

    /// Shows a push: it is a request without a date, and replaces the delivery of its identifier
    /// (ADD-4).
    private func show(_ push: Push, as name: String) throws(StoreFailure) -> PushOutcome {
        var request = NotificationRequest(
            identifier: name,
            content: push.payload.content,
            trigger: .push
        )
        request.trace = push.headers.trace
        let identifier = try identifier(name)
        let stored = try records.store(request)
        // Only a push of type alert is shown, so this one is.
        let changes = ServicePush(isMutable: push.payload.isMutable, isAlertType: true)
        let state = try occurrences.fireNow(
            request.head,
            stored,
            as: identifier,
            push: changes
        )
        try countStoreBytes()
        switch state {
        case .delivered: return .delivered
        case .arriving: return .arriving
        case .pending, .gone: return .suppressed
        }
    }
}
