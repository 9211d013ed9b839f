internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

// Providers push to tokens and to centers, repeat what they sent, and take it back.

extension Simulation {
    /// A push that its provider may send again.
    struct Pushed {
        let member: Int
        let push: Push
        let identifier: PushIdentifier
        let reply: PushReply
        /// When, on the wall clock.
        let at: WallInstant
    }

    /// A provider pushes to a device.
    mutating func push(_ index: Int) async throws {
        var sent = sentPush()
        keyCount += 1
        let digits = String(keyCount, radix: 16)
        let name = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
        // The name of a push without one is seen only where it names no notification.
        let isNamed = sent.collapseIdentifier.isEmpty || Bool.random(using: &generator)
        let identifier = isNamed ? PushIdentifier(text: name + digits) : .random()
        guard let identifier else { preconditionFailure("\(name)\(digits) is no UUID") }
        sent.name = identifier.text
        var headers = PushHeaders()
        headers.collapseIdentifier = sent.collapseIdentifier
        headers.expiration = sent.expiration
        let at = members[index].model.wall
        let push = try Push(headers, payload: sent.content.userInfoJSON, at: at)
        let expected = members[index].model.push(sent)
        try await send(push, to: index, as: identifier, expecting: expected)
        guard isNamed else { return }
        pushed.append(
            Pushed(member: index, push: push, identifier: identifier, reply: expected, at: at)
        )
    }

    private mutating func send(
        _ push: Push,
        to index: Int,
        as identifier: PushIdentifier,
        expecting reply: PushReply
    ) async throws {
        let target: PushTarget =
            Bool.random(using: &generator)
            ? .center(members[index].name) : .token(members[index].token.text)
        let result = await test.result {
            $0.push(push, to: target, as: identifier, completion: $1)
        }
        try require("push", result, .success(reply))
    }

    /// A provider sends a push again under its apns-id: nothing happens, and the reply is the same.
    mutating func pushAgain() async throws {
        // For a day (§21.5).
        let wall = members[0].model.wall
        pushed.removeAll { wall.nanoseconds(since: $0.at) > 86_400_000_000_000 }
        guard let again = pushed.randomElement(using: &generator) else { return }
        try await send(again.push, to: again.member, as: again.identifier, expecting: again.reply)
    }

    /// A provider takes notifications back.
    mutating func takeBack(_ index: Int) async throws {
        var asked = someIdentifiers()
        let shown = members[index].model.delivered.randomElement(using: &generator)
        if let shown, !asked.contains(shown.request.identifier) {
            asked.append(shown.request.identifier)
        }
        let (name, token) = (members[index].name, members[index].token.text)
        let count = await test.result { [asked] in
            $0.withdraw(asked, fromToken: token, of: name.app, completion: $1)
        }
        let removed = members[index].model.removeDelivered(asked, .provider)
        try require("taken back", count, .success(UInt64(removed.count)))
    }

    mutating func sentPush() -> SentPush {
        let kind = Int.random(in: 0..<8, using: &generator)
        let seconds = Int.random(in: 0...9, using: &generator) * 20
        let isShown = kind < 5
        var push = SentPush(
            name: "",
            content: NotificationContent(),
            isShown: isShown,
            wakesApp: kind >= 4
        )
        if kind % 2 == 0 || !isShown && seconds % 40 == 0 {
            push.collapseIdentifier = someIdentifier()
        }
        if !isShown, seconds < 100 {
            push.expiration = members[0].model.wall + .seconds(seconds)
        }
        var keys: [String] = []
        if isShown, kind > 0 {
            push.content.title = "push"
            push.content.body = String(repeating: "x", count: seconds)
            keys.append(#""alert":{"title":"push","body":"\#(push.content.body)"}"#)
        }
        if isShown, kind != 1 {
            push.content.badge = Int32(seconds / 60)
            push.content.sound = Sound()
            keys.append(#""badge":\#(seconds / 60),"sound":"default""#)
        }
        if isShown, seconds > 60 {
            push.isMutable = true
            // Push under a name of its own: the rules leave open how a replacement key acts on a
            // push that the extension has.
            let name = "push \(seconds % 3)"
            if !push.collapseIdentifier.isEmpty { push.collapseIdentifier = name }
            keys.append(#""mutable-content":1"#)
        }
        if push.wakesApp { keys.append(#""content-available":1"#) }
        push.content.userInfoJSON = #"{"aps":{\#(keys.joined(separator: ","))}}"#
        return push
    }
}
