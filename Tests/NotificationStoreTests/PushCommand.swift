internal import NotificationCore

@testable internal import NotificationRecords
@testable internal import NotificationStore

/// A push that reaches its center.
struct PushCommand: CenterCommand {
    let center: CenterName
    let request: NotificationRequest
    let push: ServicePush

    func apply(to batch: Batch) throws(StoreFailure) -> Step<AddReply> {
        guard let center = try batch.center(center) else {
            return .done(.failure(.notRegistered(center)))
        }
        let identifier = try center.identifier(request.identifier)
        let (sequence, _) = try center.records.store(request)
        try batch.attachments.hold(of: request, sequence, center.name.app)
        let state = try center.occurrences.fireNow(request, sequence, as: identifier, push: push)
        return .done(.success(AddReply(identifier: request.identifier, state: state)))
    }
}
