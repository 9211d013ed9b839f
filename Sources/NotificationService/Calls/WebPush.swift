internal import BelfryGRPC
internal import BelfryWebPush
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

// The browsers that are told of a device's alerts while no page is open.

extension NotificationService {
    func registerWebPush(in router: inout Router) {
        mutation("DeviceService/CreateWebPushSubscription", in: &router) {
            (
                request: Belfry_V1_CreateWebPushSubscriptionRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_CreateWebPushSubscriptionResponse>
            ) throws(Refusal) in
            let device = try CenterName.deviceName(request.deviceID)
            let pushes = try webPushes()
            let endpoint = try PushEndpoint(checking: request.endpoint, of: pushes.services)
            let keys = (point: [UInt8](request.p256Dh), secret: [UInt8](request.auth))
            guard keys.secret.count == PushReceiver.secretByteCount else {
                throw .invalid("auth", "must have \(PushReceiver.secretByteCount) bytes")
            }
            guard PushReceiver(point: keys.point, secret: keys.secret) != nil else {
                throw .invalid("p256dh", "must be a point of P-256 without compression: 65 bytes")
            }
            let subscription = WebPushSubscription(
                endpoint: endpoint.text,
                point: keys.point,
                secret: keys.secret,
                token: reply.asking(options.token)?.digest,
                createdAt: store.clock.now().wall
            )
            store.createWebPushSubscription(subscription, on: device, once: key) { result in
                answer(reply, result, after: pushes, device) { kept in
                    .with { $0.subscription = .init(kept, of: pushes.services) }
                }
            }
        }
        mutation("DeviceService/DeleteWebPushSubscription", in: &router) {
            (
                request: Belfry_V1_DeleteWebPushSubscriptionRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_DeleteWebPushSubscriptionResponse>
            ) throws(Refusal) in
            let device = try CenterName.deviceName(request.deviceID)
            let pushes = try webPushes()
            guard request.id.utf8.count <= WebPushSubscription.identifierByteCount else {
                throw .invalid(
                    "id",
                    "has at most \(WebPushSubscription.identifierByteCount) bytes"
                )
            }
            store.deleteWebPushSubscription(request.id, on: device, once: key) { result in
                answer(reply, result, after: pushes, device) { _ in .init() }
            }
        }
        reading("DeviceService/ListWebPushSubscriptions", in: &router) {
            (
                request: Belfry_V1_ListWebPushSubscriptionsRequest,
                reply: Reply<Belfry_V1_ListWebPushSubscriptionsResponse>
            ) throws(Refusal) in
            let device = try CenterName.deviceName(request.deviceID)
            let pushes = try webPushes()
            let known = try store.webPushSubscriptions(of: device)
            reply.finish(
                .success(
                    .with { response in
                        response.subscriptions = known.map { .init($0, of: pushes.services) }
                        response.applicationServerKey = pushes.publicKey
                    }
                )
            )
        }
    }

    private func webPushes() throws(Refusal) -> WebPushes {
        guard let pushes = options.webPushes else {
            throw Refusal(
                .failedPrecondition,
                reason: .webPushOff,
                message: "this server tells no browsers: 'belfry serve --web-push' lets it"
            )
        }
        return pushes
    }
}

/// Answers once the browsers of a device are those of the store, which must not keep the writer.
private func answer<Kept: Sendable, Response: Message>(
    _ reply: Reply<Response>,
    _ result: Result<Kept, Refusal>,
    after pushes: WebPushes,
    _ device: String,
    _ response: @escaping @Sendable (Kept) -> Response
) {
    Task {
        pushes.refresh(device)
        reply.finish(result.map(response))
    }
}

extension PushEndpoint {
    fileprivate init(checking text: String, of services: PushServices) throws(Refusal) {
        do throws(Problem) {
            self = try PushEndpoint(text, of: services)
        } catch {
            throw .invalid("endpoint", error.text)
        }
    }
}

extension PushEndpoint.Problem {
    fileprivate var text: String {
        switch self {
        case .tooLong: "has at most \(PushEndpoint.byteLimit) bytes"
        case .character: "has a character that no address has"
        case .notHTTPS: "must begin with https://"
        case .userInformation: "must have no name or password"
        case .host: "must have the name of a host, and not its address"
        case .port: "has no port"
        case .otherService: "is of no push service that this server sends to"
        }
    }
}

extension Belfry_V1_WebPushSubscription {
    fileprivate init(_ subscription: WebPushSubscription, of services: PushServices) {
        self.init()
        id = subscription.identifier
        service = (try? PushEndpoint(subscription.endpoint, of: services))?.host ?? ""
        createdAt = .init(subscription.createdAt)
    }
}
