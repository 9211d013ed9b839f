internal import BelfryLocking
internal import NotificationClient
internal import NotificationProtocol

/// The result of reading a load's requests back and counting their deliveries.
struct LoadVerification {
    /// The requests that are pending, and those that fired, as they should.
    var pending = 0
    var fired = 0
    /// The requests that are not as the server acknowledged them, by kind, each with an example.
    var problems: [(kind: String, count: Int, example: String)] = []

    /// Whether all is as the server acknowledged it.
    var isSound: Bool { problems.isEmpty }

    /// Takes note of a problem with a request.
    mutating func note(_ kind: String, _ request: String) {
        guard let index = problems.firstIndex(where: { $0.kind == kind }) else {
            return problems.append((kind, 1, request))
        }
        problems[index].count += 1
    }
}

extension LoadGenerator {
    /// Reads back every request of the load, and compares it with what was acknowledged.
    ///
    /// Nothing else may use the load's centers meanwhile.
    func verify() async throws -> LoadVerification {
        var verification = LoadVerification()
        let entries = ledger.withLock { $0.entries }
        var found = [Bool](repeating: false, count: entries.count)
        for (center, client) in centers.enumerated() {
            var token = ""
            repeat {
                let page = try await client.listPending(pageSize: 1_000, pageToken: token)
                for pending in page.requests {
                    check(pending, in: center, entries, &found, &verification)
                }
                token = page.nextPageToken
            } while !token.isEmpty
        }
        for (number, entry) in entries.enumerated() {
            let name = requests.identifier(of: number)
            if entry.fires {
                check(entry, name, isPending: found[number], &verification)
            } else if entry.state == .present, !found[number] {
                verification.note("was acknowledged and is not pending", name)
            }
        }
        return verification
    }

    /// Checks a request that is pending.
    private func check(
        _ pending: Belfry_V1_PendingRequest,
        in center: Int,
        _ entries: [LoadLedger.Entry],
        _ found: inout [Bool],
        _ verification: inout LoadVerification
    ) {
        let name = pending.request.identifier
        guard let (number, version) = requests.number(of: pending.request),
            entries.indices.contains(number), Int(entries[number].center) == center
        else { return verification.note("is pending and was never sent so", name) }
        guard !found[number] else { return verification.note("is pending twice", name) }
        found[number] = true
        let entry = entries[number]
        guard !entry.fires else { return }
        if entry.state == .absent {
            verification.note("was removed or refused and is pending", name)
        } else if version != entry.version, version != entry.otherVersion {
            verification.note("is pending as another version than the acknowledged one", name)
        } else {
            verification.pending += 1
        }
    }

    /// Checks a request that was due.
    private func check(
        _ entry: LoadLedger.Entry,
        _ name: String,
        isPending: Bool,
        _ verification: inout LoadVerification
    ) {
        if isPending { verification.note("is due and still pending", name) }
        switch (entry.state, entry.firings) {
        case (.present, 1): verification.fired += 1
        case (.present, 0): verification.note("was due and had no event", name)
        case (.absent, 1...): verification.note("was refused and fired", name)
        case (_, 2...): verification.note("fired more than once", name)
        default: break
        }
    }
}
