internal import NotificationCore
internal import TestSupport

@testable internal import NotificationRecords
@testable internal import NotificationStore

/// A push that reaches its center, with what decides about its service extension.
struct PushCommand: CenterCommand {
    let center: CenterName
    let request: NotificationRequest
    let push: ServicePush

    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<AddReply> {
        let center = try batch.registered(center)
        let identifier = try center.identifier(request.identifier)
        let stored = try center.records.store(request)
        try batch.attachments.hold(of: request, stored.sequence, center.name.app)
        let state = try center.occurrences.fireNow(
            request.head,
            stored,
            as: identifier,
            push: push
        )
        return .done(.success(AddReply(identifier: request.identifier, state: state)))
    }
}

extension TestStore {
    /// Pushes a title to a center, and gives the state of the request.
    @discardableResult
    func push(
        _ identifier: String,
        isMutable: Bool = true,
        isAlertType: Bool = true,
        to center: CenterName? = nil,
        _ change: (inout NotificationContent) -> Void = { _ in }
    ) async throws -> RequestState {
        let command = PushCommand(
            center: center ?? self.center,
            request: try .titled(identifier, change),
            push: ServicePush(isMutable: isMutable, isAlertType: isAlertType)
        )
        return try await result { $0.submit(command, once: nil, $1) }.get().state
    }

    /// The titles and outcomes of the delivered notifications, and the reasons of the others.
    func told(of center: CenterName? = nil) async throws -> [String] {
        try await events(of: center).compactMap { event in
            switch event.kind {
            case .delivered(let delivered):
                let title = delivered.notification.request.content.title
                return "\(title): \(delivered.extensionOutcome.map { "\($0)" } ?? "not asked")"
            case .suppressed(let fired, let reason, _):
                return "\(fired.request.identifier) \(reason)"
            default: return nil
            }
        }
    }
}
