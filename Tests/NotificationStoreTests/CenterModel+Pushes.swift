internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

// The changes of a center by the pushes that reach it (§20, §21.5).

/// A push as its provider sent it, with its facts.
struct SentPush {
    /// Its apns-id.
    var name: String
    var collapseIdentifier = ""
    /// Until when it may wait.
    var expiration: WallInstant?
    /// The shown content, if any; the payload is its user info.
    var content: NotificationContent
    var isShown: Bool
    var wakesApp: Bool
    /// Whether the app's service extension may change it.
    var isMutable = false
}

extension CenterModel {
    /// A push that waits for the app, which is to work on it in the background.
    struct BackgroundPush {
        var push: SentPush
        /// Whether it had no time to wait when it came.
        var isTriedOnce: Bool
    }

    /// A question to the app about a push.
    struct OpenPush {
        var name: String
        var number: Int
        var deadline: Int64
    }

    /// Takes a push, and gives what is replied to its provider.
    mutating func push(_ push: SentPush) -> PushReply {
        var reply = PushReply(apnsID: push.name, outcome: .delivered, identifier: "")
        if push.wakesApp { reply.outcome = wait(with: push) }
        if push.isShown {
            let collapse = push.collapseIdentifier
            reply.identifier = collapse.isEmpty ? push.name : collapse
            nextSequence += 1
            let request = NotificationRequest(
                identifier: reply.identifier,
                content: push.content,
                trigger: .push
            )
            if push.isMutable, !push.content.title.isEmpty {
                arriveAtService(Event.Fired(request))
            } else {
                deliver(Event.Fired(request))
            }
            reply.outcome = arriving[reply.identifier] == nil ? .delivered : .arriving
        }
        return reply
    }

    private mutating func wait(with push: SentPush) -> PushOutcome {
        let isTriedOnce = push.expiration.map { $0 <= wall } ?? false
        // A push with no time to wait goes to an app that is there and has finished the push
        // before.
        if isTriedOnce, openPush != nil || !isConnected { return .expired }
        for waiting in backgroundPushes where waiting.push.name != openPush?.name {
            let collapse = waiting.push.collapseIdentifier
            guard !collapse.isEmpty, collapse == push.collapseIdentifier else { continue }
            end(waiting.push.name, .replaced)
        }
        backgroundPushes.append(BackgroundPush(push: push, isTriedOnce: isTriedOnce))
        offerBackgroundPushes()
        return .stored
    }

    /// Asks the app about the oldest push that waits, unless it works on one.
    mutating func offerBackgroundPushes() {
        while isConnected, openPush == nil, let first = backgroundPushes.first {
            if !first.isTriedOnce, first.push.expiration.map({ $0 <= wall }) ?? false {
                end(first.push.name, .expired)
                continue
            }
            openPush = OpenPush(
                name: first.push.name,
                number: nextSequence,
                deadline: elapsed + Limits.backgroundNanoseconds
            )
            nextSequence += 1
        }
    }

    /// The app answers, or lets the time pass: a push that it did not hear waits on.
    mutating func endBackgroundPush(with result: BackgroundPushEnd?) {
        guard let open = openPush else { return }
        openPush = nil
        if let result {
            isSilent = false
            end(open.name, result)
        } else if isConnected {
            end(open.name, .timedOut)
        } else if backgroundPushes.contains(where: { $0.push.name == open.name && $0.isTriedOnce })
        {
            end(open.name, .expired)
        }
        offerBackgroundPushes()
    }

    private mutating func end(_ name: String, _ end: BackgroundPushEnd) {
        backgroundPushes.removeAll { $0.push.name == name }
        record(.backgroundPush(Event.BackgroundPush(apnsID: name, end: end)))
    }
}
