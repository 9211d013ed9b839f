package import NotificationCore
package import NotificationRecords

package enum PushTarget: Hashable, Sendable {
    /// To an app on a device, which need not be registered for pushes.
    case center(CenterName)
    /// To the app and device of a token, in hexadecimal digits.
    case token(String)
}

/// The outcome of a push at once.
package struct PushReply: Hashable, Sendable {
    package var apnsID: String
    package var outcome: PushOutcome
    /// The identifier of its notification; empty where it shows nothing.
    package var identifier: String
}

extension Store {
    /// Pushes to one device (§20, §21).
    ///
    /// - Parameters:
    ///   - push: The push, which was checked.
    ///   - target: Where to.
    ///   - identifier: Names the push; where the provider gave it, a retry acts once.
    ///   - key: Makes a retry act once, too.
    ///   - completion: Told what became of the push, once it is durable; or why the token or the
    ///     topic is refused.
    package func push(
        _ push: Push,
        to target: PushTarget,
        as identifier: PushIdentifier,
        once key: OnceKey? = nil,
        completion: @escaping Completion<PushReply>
    ) {
        let command = PushCommand(push: push, target: target, identifier: identifier)
        submit(command, once: key, completion)
    }

    /// Takes delivered and arriving notifications back, as their provider.
    ///
    /// `identifiers` are the identifiers of the notifications; unknown ones are passed over.
    /// `token` is the device's token, in hexadecimal digits. `completion` is told how many
    /// notifications are gone, once that is durable; or why the token is refused.
    package func withdraw(
        _ identifiers: [String],
        fromToken token: String,
        of app: String,
        once key: OnceKey? = nil,
        completion: @escaping Completion<UInt64>
    ) {
        let command = WithdrawCommand(app: app, token: token, identifiers: identifiers)
        submit(command, once: key, completion)
    }

    /// Asks an app that just connected to work on the pushes that wait for it (BG-6).
    package func offerBackgroundPushes(to center: CenterName) {
        submit(OfferBackgroundPushesCommand(center: center), once: nil) { _ in }
    }
}

struct PushCommand: Command {
    let push: Push
    let target: PushTarget
    let identifier: PushIdentifier

    static var changesItself: Bool { false }

    var owner: CenterName? {
        if case .center(let center) = target { return center }
        return nil
    }

    var growth: Growth { .asked }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<PushReply> {
        let center: CenterWork
        switch target {
        case .center(let name):
            center = try batch.registered(name)
            guard push.headers.isFor(name.app) else { return .done(.failure(.topicOfOtherApp)) }
        case .token(let token):
            center = try batch.center(ofToken: token, of: nil, isFor: push.headers.isFor)
        }
        return .done(try center.receive(push, as: identifier))
    }
}

struct WithdrawCommand: Command {
    let app: String
    let token: String
    let identifiers: [String]

    var cost: Int { max(1, identifiers.count) }
    static var changesItself: Bool { false }

    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<UInt64> {
        let center = try batch.center(ofToken: token, of: app)
        return .done(.success(try center.withdraw(identifiers)))
    }
}

extension CenterWork {
    /// Takes notifications back for their provider, and gives how many there were.
    func withdraw(_ identifiers: [String]) throws(StoreFailure) -> UInt64 {
        var count: UInt64 = 0
        for identifier in identifiers
        where try remove(identifier, from: .delivered, as: .provider) {
            count += 1
        }
        return count
    }
}

struct OfferBackgroundPushesCommand: CenterCommand {
    let center: CenterName

    static var changesItself: Bool { false }

    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<Int> {
        if let center = try batch.center(center) { try center.backgroundPushes.offer() }
        return .done(.success(0))
    }
}

extension PushReply: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(apnsID)
        writer.put(outcome.rawValue)
        writer.put(identifier)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        apnsID = try reader.text()
        outcome = try reader.choice()
        identifier = try reader.text()
    }
}
