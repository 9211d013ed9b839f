internal import ArgumentParser
internal import NotificationClient

/// Removes pending requests and delivered notifications.
struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove pending requests and delivered notifications.",
        discussion: """
            Without --pending and --delivered it removes both. It ends with status 3 when none of \
            the identifiers had a request or a notification.
            """
    )

    @Argument(help: ArgumentHelp("The identifiers to remove.", valueName: "id"))
    var identifiers: [String] = []

    @Flag(help: "Remove pending requests only.")
    var pending = false

    @Flag(help: "Remove delivered notifications only.")
    var delivered = false

    @Flag(help: "Remove all requests and notifications of the app.")
    var all = false

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func validate() throws {
        guard all == identifiers.isEmpty else {
            throw ValidationError("Name what to remove, or say --all.")
        }
    }

    func run() async throws {
        // Remove both kinds without a flag and with both flags.
        let (takesPending, takesDelivered) = (pending || !delivered, delivered || !pending)
        try await client.run { session in
            if all {
                try await removeAll(takesPending, takesDelivered, session)
            } else {
                try await removeNamed(takesPending, takesDelivered, session)
            }
        }
    }

    private func removeAll(
        _ takesPending: Bool,
        _ takesDelivered: Bool,
        _ session: Session
    ) async throws {
        let center = session.notifications
        if takesPending {
            try report(try await center.removeAllPending(), of: "pending", session.output)
        }
        if takesDelivered {
            try report(try await center.removeAllDelivered(), of: "delivered", session.output)
        }
    }

    private func removeNamed(
        _ takesPending: Bool,
        _ takesDelivered: Bool,
        _ session: Session
    ) async throws {
        let center = session.notifications
        var count = 0
        // Send 1,000 identifiers at a time, as many as a call takes.
        for start in stride(from: 0, to: identifiers.count, by: 1_000) {
            let names = Array(identifiers[start..<min(start + 1_000, identifiers.count)])
            if takesPending {
                let removed = try await center.removePending(names)
                try report(removed, from: "pending", session.output)
                count += removed.count
            }
            if takesDelivered {
                let removed = try await center.removeDelivered(names)
                try report(removed, from: "delivered", session.output)
                count += removed.count
            }
        }
        guard count > 0 else {
            session.output.note("Nothing is there under that name.")
            throw ExitReason.notFound.code
        }
    }

    private func report(_ count: UInt64, of state: String, _ output: Output) throws {
        try output.print(
            output.isJSON
                ? "{\"state\":\"\(state)\",\"removed_count\":\(count)}"
                : "Removed \(count) \(state)."
        )
    }

    private func report(_ removed: [String], from state: String, _ output: Output) throws {
        for identifier in removed {
            if output.isJSON {
                try output.print(json: ["state": state, "identifier": identifier])
            } else {
                try output.print("Removed \(identifier.printable) (\(state)).")
            }
        }
    }
}
