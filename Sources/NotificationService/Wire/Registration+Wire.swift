internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension PushEnvironment {
    /// Reads the environment that a request names; nil where it names none.
    static func optional(
        _ wire: Belfry_V1_PushEnvironment,
        _ path: String
    ) throws(Refusal) -> PushEnvironment? {
        guard wire != .unspecified else { return nil }
        let environment: PushEnvironment = try choice(wire, path)
        return environment
    }
}

extension Belfry_V1_PushEnvironment {
    init(_ environment: PushEnvironment?) {
        self =
            switch environment {
            case .development: .development
            case .production: .production
            case nil: .unspecified
            }
    }
}

extension Belfry_V1_Registration {
    init(_ registration: ListedRegistration) {
        self.init()
        token = registration.token.text
        center = .init(registration.center)
        tags = registration.tags
        registeredAt = .init(registration.registeredAt)
    }
}
