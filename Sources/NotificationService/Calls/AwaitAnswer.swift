internal import BelfryGRPC
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import SwiftProtobuf

extension NotificationService {
    func registerAwaitAnswer(in router: inout Router) {
        router.serverStream("/belfry.v1.DelegateService/AwaitAnswer") { bytes, stream in
            let bytes = [UInt8](bytes)
            let waiter = FeedStream<AnswerFeed, AnswerOutcome?>(stream) {
                $0 != nil
            } bytes: {
                try Belfry_V1_AwaitAnswerResponse($0).serializedBytes()
            }
            do throws(Refusal) {
                let request = try Belfry_V1_AwaitAnswerRequest(wire: bytes)
                noteCall(request)
                let center = try CenterName(request.center)
                guard (1...Limits.identifierBytes).contains(request.identifier.utf8.count) else {
                    throw .identifierInvalid([.identifier])
                }
                guard request.requestNumber > 0 else {
                    throw .invalid("request_number", "is required: AddResponse tells it")
                }
                waiter.keep(
                    try subscriptionShares.place(
                        for: stream,
                        of: "\(center.device)/\(center.app)"
                    )
                )
                try feeds.awaitAnswer(
                    to: RequestNumber(rawValue: request.requestNumber),
                    named: request.identifier,
                    of: center,
                    after: EventNumber(rawValue: request.after),
                    sink: waiter
                )
            } catch {
                stream.finish(Status(error))
            }
            return waiter
        }
    }
}

extension Belfry_V1_AwaitAnswerRequest: AppRequest {}

extension Belfry_V1_AwaitAnswerResponse {
    init(_ outcome: AnswerOutcome?) {
        self.init()
        switch outcome {
        case .answered(let told):
            answer.actionIdentifier = told.actionIdentifier
            if let text = told.userText { answer.userText = text }
            answer.delivery = told.delivery.rawValue
            answer.callbackID = told.callback.map { "\($0)" } ?? ""
        case .unanswered(let reason)?:
            noAnswer.reason = .init(rawValue: Int(reason.rawValue)) ?? .unspecified
        case nil: break
        }
    }
}
