internal import BelfryGRPC
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerServe(in router: inout Router) {
        let path = "/belfry.v1.ExtensionService/Serve"
        router.serverStream(path) { bytes, stream in
            let bytes = [UInt8](bytes)
            let sink = FeedStream<ExtensionFeed, ExtensionFeedMessage>(stream) {
                [clock = store.clock] message in
                try Belfry_V1_ServeResponse(message, at: clock.now().wall).serializedBytes()
            }
            do throws(Refusal) {
                let request = try ServingRequest(
                    try Belfry_V1_ServeRequest(wire: bytes),
                    identifier: UUIDText.random()
                )
                sink.keep(try servingShares.place(for: stream, of: request.app))
                do throws(Refusal) {
                    try feeds.serve(request, sink: sink)
                } catch {
                    throw error.within(.written("extension"))
                }
            } catch {
                stream.finish(Status(error))
            }
            return sink
        }
    }

    func registerServiceExtension(in router: inout Router) {
        mutation("ExtensionService/CompleteServiceExtension", in: &router) {
            (
                request: Belfry_V1_CompleteServiceExtensionRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_CompleteServiceExtensionResponse>
            ) throws(Refusal) in
            let content = try NotificationContent(request.content)
            try content.validateOfExtension()
            store.completeServiceExtension(
                ServiceAnswer(
                    question: try ExtensionCallback.Name(request.callbackID),
                    content: content,
                    isBestAttempt: request.bestAttempt
                ),
                of: try appName(request.appID),
                through: request.servingID,
                once: key
            ) { result in
                reply.finish(result.map { outcome in .with { $0.outcome = .init(outcome) } })
            }
        }
    }
}

extension ServingRequest {
    fileprivate init(_ wire: Belfry_V1_ServeRequest, identifier: String) throws(Refusal) {
        let app = try appName(wire.appID)
        let item = try AppExtension(wire.extension, "extension")
        try item.validate(for: app, at: .written("extension"))
        try RequestLimits.checkKept(item.categories, "extension.categories")
        self.init(app: app, extension: item, identifier: identifier)
    }
}

extension ExtensionCallback.Name {
    /// The `callback_id` of a question: its center and its number.
    var text: String { "\(center.rawValue).\(number.rawValue)" }

    /// Reads a `callback_id`, which must have the form in which the server writes it.
    init(_ text: String) throws(Refusal) {
        let parts = text.utf8.count <= 31 ? text.utf8.split(separator: UInt8(ascii: ".")) : []
        guard parts.count == 2, let center = UInt32(String(parts[0]) ?? ""),
            let number = UInt64(String(parts[1]) ?? "")
        else {
            throw .callbackUnknown("that is named")
        }
        self.init(
            center: CenterNumber(rawValue: center),
            number: CallbackNumber(rawValue: number)
        )
        guard self.text == text else { throw .callbackUnknown("that is named") }
    }
}

extension Belfry_V1_ServeResponse {
    fileprivate init(_ message: ExtensionFeedMessage, at now: WallInstant) {
        self.init()
        if let serving = message.servingIdentifier {
            frames.append(.with { $0.started.servingID = serving })
        }
        frames += message.contents.map { told in .with { $0.content = .init(told) } }
        frames += message.callbacks.map { callback in .with { $0.callback = .init(callback) } }
        frames += message.expiring.map { name in
            .with { $0.callbackExpiring.callbackID = name.text }
        }
        frames += message.ended.map { name, outcome in
            .with { frame in
                frame.callbackEnded.callbackID = name.text
                frame.callbackEnded.outcome = .init(outcome)
            }
        }
        if message.isHeartbeat { frames.append(.with { $0.heartbeat.now = .init(now) }) }
    }
}

extension Belfry_V1_ExtensionCallback {
    fileprivate init(_ callback: ExtensionCallback) {
        self.init()
        callbackID = callback.name.text
        deadline = .init(callback.deadline)
        center = .init(callback.center)
        switch callback.question {
        case .service(let request):
            service.request = .init(request)
            if let trace = request.trace { service.trace = .init(trace) }
        case .content(let presentation, let response):
            content.presentationID = presentation.text
            content.response = .init(response)
        }
    }
}

extension Belfry_V1_ExtensionOutcome {
    init(_ outcome: ExtensionOutcome) {
        self =
            switch outcome {
            case .modified: .modified
            case .bestAttempt: .bestAttempt
            case .ignoredNoText: .ignoredNoText
            case .filtered: .filtered
            case .fallback: .fallback
            }
    }
}
