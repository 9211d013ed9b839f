internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerInstallation(in router: inout Router) {
        mutation("InstallationService/RegisterApp", in: &router) {
            (
                request: Belfry_V1_RegisterAppRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_RegisterAppResponse>
            )
                throws(Refusal) in
            let center = try CenterName(request.center)
            let registration = try AppRegistration(request.manifest, for: center.app)
            store.registerApp(center, with: registration, once: key) { result in
                reply.finish(
                    result.map { registeredAt in
                        .with { response in
                            response.app.center = .init(center)
                            response.app.manifest = .init(registration)
                            response.app.registeredAt = .init(registeredAt)
                        }
                    }
                )
            }
        }
        mutation("InstallationService/UnregisterApp", in: &router) {
            (
                request: Belfry_V1_UnregisterAppRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_UnregisterAppResponse>
            )
                throws(Refusal) in
            store.unregisterApp(try CenterName(request.center), once: key) { result in
                reply.finish(result.map { tokens in .with { $0.revokedTokens = tokens } })
            }
        }
        mutation("InstallationService/SetStringTable", in: &router) {
            (
                request: Belfry_V1_SetStringTableRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_SetStringTableResponse>
            )
                throws(Refusal) in
            store.setStringTable(try StringTable(request), once: key) { result in
                reply.finish(result.map { count in .with { $0.count = count } })
            }
        }
    }
}
