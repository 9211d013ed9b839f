internal import BelfryGRPC
internal import NotificationCore
internal import StandardServices

/// Why a caller may not make a call (W-11).
package enum AccessRefusal: Error, Hashable {
    /// A caller over TCP has no token.
    case noToken
    /// The token was never made, or was revoked, or has expired; or it is no token.
    case unknownToken
    /// The user of the calling process has no right.
    case user(UInt32)
    /// No right was given to the name in the client's certificate.
    case certificate(String)
    /// The system did not tell the user of the calling process.
    case unknownUser
    /// The caller has another role than the rpc needs.
    case role(needed: [CallerRole])
    /// The caller's right is for other apps.
    case app(String)
    /// The caller's right is for other devices.
    case device(String)
    /// The bytes are not a request of the rpc, so that nobody can tell which app or device the call
    /// is about.
    case malformed
    /// The request is not a call: a protocol with other rules refused it.
    case request(_ reason: String, _ message: String)

    /// The reason, as in the rpc's error.
    package var reason: String {
        switch self {
        case .noToken: "TOKEN_REQUIRED"
        case .unknownToken: "TOKEN_INVALID"
        case .user, .unknownUser: "USER_REFUSED"
        case .certificate: "CERTIFICATE_REFUSED"
        case .role: "ROLE_REQUIRED"
        case .app: "APP_REFUSED"
        case .device: "DEVICE_REFUSED"
        case .malformed: "MALFORMED_MESSAGE"
        case .request(let reason, _): reason
        }
    }

    /// The problem and its remedy, for a person.
    package var message: String {
        switch self {
        case .noToken:
            """
            a call over TCP needs a token: the metadata "authorization" with "Bearer" and what \
            'belfry token create' prints
            """
        case .unknownToken: "the token is not one of this server, or it was revoked or has expired"
        case .user(let user):
            """
            user \(user) may not call this server: it has to be started with --allow-uid \(user), \
            or the call needs a token
            """
        case .certificate(let name):
            """
            the certificate of \(Self.shown(name)) has no right here: the server has to be started \
            with --allow-certificate \(Self.shown(name)), or the call needs a token
            """
        case .unknownUser: "the system does not tell which user calls"
        case .role(let needed):
            "the caller needs the role \(needed.map(\.rawValue).joined(separator: " or "))"
        case .app(let app):
            app.isEmpty
                ? "the caller's right is for certain apps, and the request names none"
                : "the caller has no right for the app \(Self.shown(app))"
        case .device(let device): "the caller has no right for the device \(Self.shown(device))"
        case .malformed: "the bytes are not the request's"
        case .request(_, let message): message
        }
    }

    /// Cuts and escapes a name from a request: as it came, it may be too large for a reply's
    /// metadata, or break a line of a log.
    private static func shown(_ name: String) -> String {
        let limit = Limits.appIDBytes
        let ascii = name.utf8.prefix(limit).map {
            (0x21...0x7e).contains($0) ? $0 : UInt8(ascii: "?")
        }
        return String(decoding: ascii, as: UTF8.self) + (name.utf8.count > limit ? "..." : "")
    }

    private var code: StatusCode {
        switch self {
        case .noToken, .unknownToken: .unauthenticated
        case .malformed: .invalidArgument
        case .user, .unknownUser, .certificate, .role, .app, .device, .request: .permissionDenied
        }
    }

    /// The facts of the reason.
    ///
    /// Bounded: the keys are the server's own names.
    private var metadata: [String: String] {
        switch self {
        case .role(let needed): ["roles": needed.map(\.rawValue).joined(separator: ",")]
        case .app(let app): ["app_id": Self.shown(app)]
        case .device(let device): ["device_id": Self.shown(device)]
        case .certificate(let name): ["certificate": Self.shown(name)]
        case .noToken, .unknownToken, .user, .unknownUser, .malformed, .request: [:]
        }
    }

    var status: Status {
        Status(
            code: code,
            message: message,
            details: [.errorInfo(reason: reason, domain: "belfry", metadata: metadata)]
        )
    }
}
