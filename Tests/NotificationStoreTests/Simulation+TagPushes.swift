internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

// Pushes to all devices of an app whose tags fit an expression (§23.2).

extension Simulation {
    /// The app that is on several devices.
    private static let app = "org.example.a"
    private static let tags = ["local": ["news"], "tablet": ["news", "sport"], "watch": ["sport"]]

    /// Expressions, with their meanings.
    private static let expressions: [(String, @Sendable ([String]) -> Bool)] = [
        ("", { _ in true }),
        ("news", { $0.contains("news") }),
        ("!news", { !$0.contains("news") }),
        ("news && sport", { $0.contains("news") && $0.contains("sport") }),
        ("news || sport", { !$0.isEmpty }),
        ("nobody", { _ in false }),
    ]

    func tag(_ index: Int) async throws {
        let (name, token) = (members[index].name, members[index].token.text)
        guard name.app == Self.app, let tags = Self.tags[name.device] else { return }
        _ = try await test.result {
            $0.setTags(tags, ofToken: token, of: name.app, completion: $1)
        }.get()
    }

    private mutating func someTagPush() throws -> (TagPush, SentPush, devices: [String], OnceKey) {
        var sent = sentPush()
        // Name a shown push without a collapse id: its notification would have a name that nobody
        // chose.
        if sent.isShown, sent.collapseIdentifier.isEmpty { sent.collapseIdentifier = "push 0" }
        var headers = PushHeaders()
        headers.collapseIdentifier = sent.collapseIdentifier
        headers.expiration = sent.expiration
        let chosen = Self.expressions.randomElement(using: &generator) ?? Self.expressions[0]
        let push = TagPush(
            app: Self.app,
            expression: try TagExpression(chosen.0),
            content: TagPushContent(headers: headers, payload: sent.content.userInfoJSON),
            deliverAt: nil
        )
        let devices = Self.tags.filter { chosen.1($0.value) }.keys.sorted()
        return (push, sent, devices, try newKey("PushToTags", chosen.0))
    }

    /// A provider pushes to those with some tags.
    mutating func pushToTags() async throws {
        let (push, sent, devices, key) = try someTagPush()
        let number = try await test.result { $0.pushToTags(push, once: key, completion: $1) }.get()
        try await compareOutcomes(of: number, sent, to: devices)
    }

    /// The server is killed on the way, and the provider pushes again under its key.
    mutating func pushToTagsThroughKill() async throws {
        // No app is there: it would be asked before the kill, and not after it.
        try test.reopen()
        forgetFollowers()
        let (push, sent, devices, key) = try someTagPush()
        let number = try await cut { store, completion in
            store.pushToTags(push, once: key, completion: completion)
        }.get()
        let again = await test.result { $0.pushToTags(push, once: key, completion: $1) }
        try require("the same push", again, .success(number))
        try await compareOutcomes(of: number, sent, to: devices)
    }

    /// Each device was pushed to once, and is in the model too.
    private mutating func compareOutcomes(
        of number: TagPushNumber,
        _ sent: SentPush,
        to devices: [String]
    ) async throws {
        while try test.store.pushStatus(number, of: Self.app).endedAt == nil {
            await test.settle()
        }
        var outcomes: [TagPushOutcome] = []
        while let part = try test.store.reader.outcomes(
            of: number,
            of: Self.app,
            after: outcomes.last?.number ?? 0
        ), !part.outcomes.isEmpty {
            outcomes += part.outcomes
        }
        try require("audience", outcomes.map(\.center.device), devices)
        for outcome in outcomes {
            guard let index = members.firstIndex(where: { $0.name == outcome.center }) else {
                continue
            }
            var push = sent
            push.name = outcome.apnsIdentifier
            let expected = members[index].model.push(push).outcome
            try require("outcome", outcome.outcome, expected)
        }
    }
}
