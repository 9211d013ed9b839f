internal import LMDB
public import NotificationCore

/// Who answers a permission prompt.
public enum PromptAnswer: Hashable, Sendable {
    /// Every prompt is granted at once.
    case grant
    /// Every prompt is denied at once.
    case deny
}

extension Store {
    /// Asks for `options`, registering the app where it is new (semantics.md 4).
    ///
    /// - Parameters:
    ///   - options: What the app asks for.
    ///   - center: The center.
    ///   - answer: How the person answers where they have to be asked; nil refuses such a call.
    ///   - key: Makes a retry act once.
    ///   - completion: Told the settings after it, once they are durable.
    public func requestAuthorization(
        _ options: AuthorizationOptions,
        for center: CenterName,
        answer: PromptAnswer?,
        once key: IdempotencyKey? = nil,
        completion: @escaping Completion<NotificationSettings>
    ) {
        submit(
            RequestAuthorizationCommand(center: center, options: options, answer: answer),
            once: key,
            completion
        )
    }

    /// Registers an app that is new, as its primary subscriber does (api.md 1).
    ///
    /// - Parameters:
    ///   - center: The center.
    ///   - completion: Told, once that is durable, how many events the center has.
    public func register(_ center: CenterName, completion: @escaping Completion<UInt64>) {
        submit(RegisterCommand(center: center), once: nil, completion)
    }

    /// Sets the app's badge (semantics.md B-3).
    ///
    /// - Parameters:
    ///   - count: The badge; 0 removes it.
    ///   - center: The center.
    ///   - key: Makes a retry act once.
    ///   - completion: Told the badge, once it is durable.
    public func setBadgeCount(
        _ count: Int64,
        of center: CenterName,
        once key: IdempotencyKey? = nil,
        completion: @escaping Completion<Int32>
    ) {
        submit(SetBadgeCountCommand(center: center, count: count), once: key, completion)
    }
}

struct RegisterCommand: CenterCommand {
    let center: CenterName

    func apply(
        to batch: Batch,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Step<UInt64> {
        let number = try batch.registerCenter(center, in: transaction)
        return .done(.success(try batch.center(number, in: transaction).lastEvent))
    }
}

struct RequestAuthorizationCommand: CenterCommand {
    let center: CenterName
    let options: AuthorizationOptions
    let answer: PromptAnswer?

    func apply(
        to batch: Batch,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Step<NotificationSettings> {
        let known = try batch.number(of: center, in: transaction)
        var before = NotificationSettings()
        if let known { before = try batch.center(known, in: transaction).settings }
        let after: NotificationSettings
        switch (before.requesting(options), answer) {
        case (.settled(let settings), _): after = settings
        case (.prompt, .grant): after = before.granted(options)
        case (.prompt, .deny): after = before.denied(options)
        case (.prompt, nil):
            return .done(.failure(.promptsNotAnswered))
        }

        let number = try batch.registerCenter(center, in: transaction)
        var center = try batch.center(number, in: transaction)
        if after != before {
            center.settings = after
            try batch.record(
                .settingsChanged(after),
                for: &center,
                number: number,
                in: transaction
            )
            batch.setCenter(number, center)
        }
        return .done(.success(after))
    }
}

struct SetBadgeCountCommand: CenterCommand {
    let center: CenterName
    let count: Int64

    func apply(
        to batch: Batch,
        in transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> Step<Int32> {
        guard let number = try batch.number(of: center, in: transaction) else {
            return .done(.failure(.notRegistered(center)))
        }
        var center = try batch.center(number, in: transaction)
        do {
            guard try center.setBadgeCount(count) else { return .done(.success(center.badge)) }
        } catch {
            return .done(.failure(error))
        }
        try batch.record(
            .badgeChanged(center.badge),
            for: &center,
            number: number,
            in: transaction
        )
        batch.setCenter(number, center)
        return .done(.success(center.badge))
    }
}

extension Refusal {
    /// Nobody is there to be asked.
    fileprivate static let promptsNotAnswered = Refusal(
        .unimplemented,
        reason: "NOT_IMPLEMENTED",
        message: """
            asking the person is not implemented in this version: \
            start the server with --prompts grant or --prompts deny
            """
    )
}
