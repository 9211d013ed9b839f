internal import BelfryGRPC
internal import Faults
internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf

/// Decides who may call one rpc of the contract.
struct MethodAccess: MethodAuthorizer {
    private let path: String
    /// The roles that may call the rpc; empty is every role.
    private let roles: [CallerRole]
    private let control: AccessControl

    private static let push = "/belfry.v1.PushService/Push"
    private static let upload = "/belfry.v1.AttachmentService/UploadAttachment"

    init(_ path: String, of control: AccessControl) {
        guard let names = CallerTable.roles[path] else {
            preconditionFailure("the protos do not say who may call \(path)")
        }
        self.path = path
        roles = names.compactMap(CallerRole.init)
        self.control = control
    }

    /// The places in a request of the names that it is about: looked up for callers whose rights
    /// depend on them, and read from the contract's descriptors once, when the first such caller
    /// calls.
    private var subjects: RequestSubjects { RequestSubjects.all[path] ?? RequestSubjects() }

    func admission(of caller: Caller) -> Admission {
        do throws(AccessRefusal) {
            let principal = try control.principal(of: caller)
            guard let rights = principal.rights else { return .admitted }
            try check(rights)
            return dependsOnMessage(rights) ? .checked : .held
        } catch {
            return .refused(control.refuse(error, path, caller))
        }
    }

    func refusal(of message: RawSpan, from caller: Caller) -> Status? {
        do throws(AccessRefusal) {
            let principal = try control.principal(of: caller)
            guard let rights = principal.rights else { return nil }
            try check(rights)
            try check(rights, message)
            return nil
        } catch {
            // Count nothing for a call that its client has ended: its metadata is gone, and tells
            // nothing of the caller.
            return caller.hasEnded ? error.status : control.refuse(error, path, caller)
        }
    }

    func opened(_ stream: ServerStream, of caller: Caller) -> (any Sendable & AnyObject)? {
        do throws(AccessRefusal) {
            guard case .bearer(let token) = try control.principal(of: caller) else { return nil }
            return control.hold(stream, of: token)
        } catch {
            // End the stream: the token was revoked after the call was admitted.
            stream.finish(error.status)
            return nil
        }
    }

    private func check(_ rights: AccessRights) throws(AccessRefusal) {
        if Fault.roleNotChecked.isPlanted && !rights.grants.isEmpty { return }
        guard rights.isAdmin || roles.isEmpty || roles.contains(where: rights.has) else {
            throw .role(needed: roles)
        }
    }

    /// Whether the caller may make the call for some apps or devices alone.
    private func dependsOnMessage(_ rights: AccessRights) -> Bool {
        !rights.isAdmin && !roles.isEmpty && !roles.contains(where: rights.hasEverywhere)
    }

    /// Checks for which apps and which devices the request is.
    ///
    /// One role that may make the call is enough.
    private func check(_ rights: AccessRights, _ message: RawSpan) throws(AccessRefusal) {
        guard dependsOnMessage(rights) else { return }
        let message = [UInt8](message)
        if path == Self.upload {
            // The messages of an upload are read on a polling thread.
            do { try Belfry_V1_UploadAttachmentRequest.checkParts(of: message) } catch {
                throw .malformed
            }
        }
        var refusal: AccessRefusal?
        for role in roles where rights.has(role) {
            do throws(AccessRefusal) {
                return try check(role, rights, message)
            } catch {
                refusal = refusal ?? error
            }
        }
        if let refusal { throw refusal }
    }

    private func check(
        _ role: CallerRole,
        _ rights: AccessRights,
        _ message: [UInt8]
    ) throws(AccessRefusal) {
        if role == .device {
            for device in try subjects.devices(in: message) {
                let name = device.isEmpty ? CenterName.localDevice : device
                guard rights.has(role, for: name) else { throw .device(name) }
            }
        } else {
            let apps = try apps(of: message)
            for app in apps where !rights.has(role, for: app) { throw .app(app) }
        }
    }

    /// The apps that a message is for; an empty name where it names none.
    private func apps(of message: [UInt8]) throws(AccessRefusal) -> [String] {
        let apps = try subjects.apps(in: message)
        switch path {
        case Self.push: return try apps.filter { !$0.isEmpty } + Self.pushedApps(message)
        case Self.upload where try Self.isLaterOfUpload(message): return apps.filter { !$0.isEmpty }
        default: return apps
        }
    }

    /// Whether a message of an upload has bytes of the file: the first one alone names the app.
    private static func isLaterOfUpload(_ message: [UInt8]) throws(AccessRefusal) -> Bool {
        guard let request = try? Belfry_V1_UploadAttachmentRequest(serializedBytes: message) else {
            throw .malformed
        }
        if case .chunk = request.part { return true }
        return false
    }

    /// The app that a push is for: a push to a token has to name it with its topic, and is refused
    /// for a token of another app.
    private static func pushedApps(_ message: [UInt8]) throws(AccessRefusal) -> [String] {
        guard let request = try? Belfry_V1_PushRequest(serializedBytes: message) else {
            throw .malformed
        }
        guard case .token = request.target else { return [request.center.appID] }
        guard let app = (try? PushHeaders(request.headers))?.onlyApp else { return [""] }
        return [app]
    }
}
