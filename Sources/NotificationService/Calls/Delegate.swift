internal import BelfryGRPC
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerDelegate(in router: inout Router) {
        // Only read the idempotency key, so that an invalid key is refused: the app's state is not
        // durable, and setting it twice does no harm.
        mutation("DelegateService/UpdateAppState", in: &router) {
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
    }

    private func registerCompletions(in router: inout Router) {
        completion("CompleteWillPresent", Belfry_V1_CompleteWillPresentRequest.self, in: &router) {
            (refused, appState) in
            Belfry_V1_CompleteWillPresentResponse.with { response in
                response.refused = refused
                response.appState = appState
            }
        }
        completion("CompleteResponse", Belfry_V1_CompleteResponseRequest.self, in: &router) {
            (refused, appState) in
            Belfry_V1_CompleteResponseResponse.with { response in
                response.refused = refused
                response.appState = appState
            }
        }
        completion(
            "CompleteBackgroundPush",
            Belfry_V1_CompleteBackgroundPushRequest.self,
            in: &router
        ) { (refused, _) in
            Belfry_V1_CompleteBackgroundPushResponse.with { $0.refused = refused }
        }
    }

    /// Registers an rpc that answers questions to an app.
    private func completion<Request: CompletionRequest, Response: Message>(
        _ rpc: String,
        _ type: Request.Type,
        in router: inout Router,
        respond: @escaping @Sendable ([Belfry_V1_RefusedAnswer], Belfry_V1_AppState) -> Response
    ) {
        mutation("DelegateService/\(rpc)", in: &router) {
            (request: Request, key: OnceKey?, reply: Reply<Response>) throws(Refusal) in
            try RequestLimits.checkBatch(request.answers.count, "answers")
            let completions = request.answers.enumerated().map { index, answer in
                Result { () throws(Refusal) in try answer.completion("answers[\(index)]") }
            }
            store.complete(
                completions,
                of: try CenterName(request.center),
                through: request.subscriptionID,
                once: key
            ) { result in
                let callbacks = request.answers.map(\.callbackID)
                reply.finish(
                    result.map { told in
                        respond(
                            [Belfry_V1_RefusedAnswer](callbacks, told.results),
                            .init(told.appState)
                        )
                    }
                )
            }
        }
    }
}

/// A request that answers questions to an app.
private protocol CompletionRequest: MutatingRequest, AppRequest {
    associatedtype Answer: CompletionAnswer
    var subscriptionID: String { get }
    var answers: [Answer] { get }
}

extension Belfry_V1_CompleteWillPresentRequest: CompletionRequest {}
extension Belfry_V1_CompleteResponseRequest: CompletionRequest {}
extension Belfry_V1_CompleteBackgroundPushRequest: CompletionRequest {}

private protocol CompletionAnswer: Sendable {
    var callbackID: String { get }

    /// Reads the answer, whose place in the request is `path`.
    func completion(_ path: String) throws(Refusal) -> CallbackCompletion
}

extension Belfry_V1_WillPresentAnswer: CompletionAnswer {
    fileprivate func completion(_ path: String) throws(Refusal) -> CallbackCompletion {
        guard hasPresentation else {
            throw .invalid(
                path + ".presentation",
                "say how to present it; without options it is not presented"
            )
        }
        return CallbackCompletion(
            callback: try callbackNumber(callbackID),
            answer: .present(try PresentationOptions(presentation, path + ".presentation"))
        )
    }
}

extension Belfry_V1_ResponseAnswer: CompletionAnswer {
    fileprivate func completion(_ path: String) throws(Refusal) -> CallbackCompletion {
        CallbackCompletion(callback: try callbackNumber(callbackID), answer: .taken)
    }
}

extension Belfry_V1_BackgroundPushAnswer: CompletionAnswer {
    fileprivate func completion(_ path: String) throws(Refusal) -> CallbackCompletion {
        guard hasResult else { throw .invalid(path + ".result", "say what came of the push") }
        let result: BackgroundFetchResult = try choice(self.result, path + ".result")
        return CallbackCompletion(
            callback: try callbackNumber(callbackID),
            answer: .fetched(result)
        )
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

extension PresentationOptions {
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
        // Do not repeat a long identifier, which is invalid, in the refusal.
        throw .callbackUnknown(text.utf8.count <= 20 ? text : "that is named")
    }
    return CallbackNumber(rawValue: number)
}
