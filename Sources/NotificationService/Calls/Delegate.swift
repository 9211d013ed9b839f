internal import BelfryGRPC
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerDelegate(in router: inout Router) {
        // The app's state is not durable, and setting it twice does no harm. The idempotency key is
        // only read, so that an invalid key is refused.
        mutation("DelegateService/UpdateAppState", role: .app, in: &router) {
            (
                request: Belfry_V1_UpdateAppStateRequest,
                _: OnceKey?,
                reply: Reply<Belfry_V1_UpdateAppStateResponse>
            ) throws(Refusal) in
            let center = try CenterName(request.center)
            guard request.hasAppState else {
                throw .invalid("app_state", "say what the app is doing")
            }
            let state = try feeds.updateAppState(
                try AppState(request.appState, "app_state"),
                of: center,
                through: request.subscriptionID
            )
            reply.finish(.success(.with { $0.appState = .init(state) }))
        }
        registerCompletions(in: &router)
        registerBackgroundPushCompletion(in: &router)
    }

    private func registerCompletions(in router: inout Router) {
        mutation("DelegateService/CompleteWillPresent", role: .app, in: &router) {
            (
                request: Belfry_V1_CompleteWillPresentRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_CompleteWillPresentResponse>
            ) throws(Refusal) in
            try RequestLimits.checkBatch(request.answers.count, "answers")
            let completions = request.answers.enumerated().map { index, answer in
                Result { () throws(Refusal) in
                    try CallbackCompletion(answer, "answers[\(index)]")
                }
            }
            store.complete(
                completions,
                of: try CenterName(request.center),
                through: request.subscriptionID,
                once: key
            ) { result in
                let answers = request.answers.map(\.callbackID)
                reply.finish(
                    result.map { told in
                        .with { response in
                            response.refused = [Belfry_V1_RefusedAnswer](answers, told.results)
                            response.appState = .init(told.appState)
                        }
                    }
                )
            }
        }
        mutation("DelegateService/CompleteResponse", role: .app, in: &router) {
            (
                request: Belfry_V1_CompleteResponseRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_CompleteResponseResponse>
            ) throws(Refusal) in
            try RequestLimits.checkBatch(request.answers.count, "answers")
            let completions = request.answers.map { answer in
                Result { () throws(Refusal) in
                    CallbackCompletion(
                        callback: try callbackNumber(answer.callbackID),
                        answer: .taken
                    )
                }
            }
            store.complete(
                completions,
                of: try CenterName(request.center),
                through: request.subscriptionID,
                once: key
            ) { result in
                let answers = request.answers.map(\.callbackID)
                reply.finish(
                    result.map { told in
                        .with { response in
                            response.refused = [Belfry_V1_RefusedAnswer](answers, told.results)
                            response.appState = .init(told.appState)
                        }
                    }
                )
            }
        }
    }
}

extension NotificationService {
    private func registerBackgroundPushCompletion(in router: inout Router) {
        mutation("DelegateService/CompleteBackgroundPush", role: .app, in: &router) {
            (
                request: Belfry_V1_CompleteBackgroundPushRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_CompleteBackgroundPushResponse>
            ) throws(Refusal) in
            try RequestLimits.checkBatch(request.answers.count, "answers")
            let completions = request.answers.enumerated().map { index, answer in
                Result { () throws(Refusal) in
                    try CallbackCompletion(answer, "answers[\(index)]")
                }
            }
            store.complete(
                completions,
                of: try CenterName(request.center),
                through: request.subscriptionID,
                once: key
            ) { result in
                let answers = request.answers.map(\.callbackID)
                reply.finish(
                    result.map { told in
                        .with { $0.refused = [Belfry_V1_RefusedAnswer](answers, told.results) }
                    }
                )
            }
        }
    }
}

extension [Belfry_V1_RefusedAnswer] {
    /// Makes the list of the refused answers, in the order of the request.
    fileprivate init(_ callbacks: [String], _ results: [Result<CallbackNumber, Refusal>]) {
        self = zip(callbacks, results).compactMap { callback, result in
            guard case .failure(let refusal) = result else { return nil }
            return .with { answer in
                answer.callbackID = callback
                answer.error = .init(refusal)
            }
        }
    }
}

extension CallbackCompletion {
    fileprivate init(_ wire: Belfry_V1_WillPresentAnswer, _ path: String) throws(Refusal) {
        guard wire.hasPresentation else {
            throw .invalid(
                path + ".presentation",
                "say how to present it; without options it is not presented"
            )
        }
        self.init(
            callback: try callbackNumber(wire.callbackID),
            answer: .present(try PresentationOptions(wire.presentation, path + ".presentation"))
        )
    }
}

extension CallbackCompletion {
    fileprivate init(_ wire: Belfry_V1_BackgroundPushAnswer, _ path: String) throws(Refusal) {
        guard wire.hasResult else {
            throw .invalid(path + ".result", "say what came of the push")
        }
        let result: BackgroundFetchResult = try choice(wire.result, path + ".result")
        self.init(callback: try callbackNumber(wire.callbackID), answer: .fetched(result))
    }
}

extension PresentationOptions {
    /// Reads an app's presentation options.
    init(_ wire: Belfry_V1_PresentationOptions, _ path: String) throws(Refusal) {
        self.init(rawValue: try optionBits(wire.options, path + ".options"))
    }
}

extension Belfry_V1_AppState {
    init(_ state: AppState) {
        self = .init(rawValue: Int(state.rawValue)) ?? .notRunning
    }
}

/// Reads the number of a `callback_id`, which must have the form in which the server writes it.
private func callbackNumber(_ text: String) throws(Refusal) -> CallbackNumber {
    guard let number = UInt64(text), text == String(number) else {
        // An invalid identifier may be long: a long identifier is not repeated in the refusal.
        throw .callbackUnknown(text.utf8.count <= 20 ? text : "that is named")
    }
    return CallbackNumber(rawValue: number)
}
