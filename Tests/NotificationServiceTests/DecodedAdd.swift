internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf

@testable internal import NotificationService

/// The parts of an `Add` or an `AddBatch` as the full decoder gives them.
struct DecodedAdd {
    private let center: CenterName
    private let idempotencyKey: String
    private let wires: [Belfry_V1_NotificationRequest]
    private let requests: [NotificationRequest]

    /// Gives nil where anything of the call is refused.
    init?(_ bytes: [UInt8], isBatch: Bool) {
        do {
            let center: Belfry_V1_Center
            if isBatch {
                let message = try Belfry_V1_AddBatchRequest(wire: bytes)
                try RequestLimits.checkBatch(message.requests.count, "requests")
                (center, wires) = (message.center, message.requests)
                idempotencyKey = message.idempotencyKey
            } else {
                let message = try Belfry_V1_AddRequest(wire: bytes)
                (center, wires) = (message.center, [message.request])
                idempotencyKey = message.idempotencyKey
            }
            self.center = try CenterName(center)
            requests = try wires.map { wire in try NotificationRequest(wire) }
        } catch {
            return nil
        }
    }

    /// Whether the scanner's parts are these, but for the identifiers that the server makes.
    func isSame(as scanned: ScannedAdd) throws -> Bool {
        guard center == scanned.center, idempotencyKey == scanned.idempotencyKey,
            requests.count == scanned.requests.count
        else { return false }
        for (wire, (var request, other)) in zip(wires, zip(requests, scanned.requests)) {
            if wire.identifier.isEmpty {
                guard other.identifier.utf8.count == 36 else { return false }
                request.identifier = other.identifier
            }
            let bytes: [UInt8] = try Belfry_V1_NotificationRequest(request).serializedBytes()
            // Equal values may have texts of other bytes.
            guard request == other,
                try bytes == Belfry_V1_NotificationRequest(other).serializedBytes()
            else { return false }
        }
        return true
    }
}
