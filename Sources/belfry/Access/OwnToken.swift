internal import Foundation
internal import Glibc
internal import NotificationClient
internal import NotificationService

/// The token with which a user's programs call the user's own servers over TCP.
///
/// It is an admin's, as the user is over the unix socket. It is in a file that only the user may
/// read, or in the environment.
enum OwnToken {
    /// The file: beside the default socket, in a directory that only the user may enter.
    static var path: String {
        (ServePaths.socket as NSString).deletingLastPathComponent + "/token"
    }

    /// The text of the token of a server that starts: that of the environment, else that of the
    /// file, which is made where it is missing.
    ///
    /// - Throws: ``TokenFile/Problem``, where the token is too short to be a secret, or where
    ///   others may read or replace the file.
    static func ofServer(environment: [String: String]) throws(TokenFile.Problem) -> String {
        let text: String
        if let given = given(environment) {
            text = given
        } else if let kept = try kept() {
            text = kept
        } else {
            text = try make()
        }
        let byteCounts = AccessToken.byteCounts
        guard byteCounts.contains(text.utf8.count) else {
            throw TokenFile.Problem(
                description: """
                    BELFRY_TOKEN must have \(byteCounts.lowerBound) to \
                    \(byteCounts.upperBound) bytes: 'belfry token create' makes tokens
                    """
            )
        }
        return text
    }

    /// The own user's token, as its server knows it.
    static func access(_ text: String) -> AccessToken {
        AccessToken(
            text: text,
            name: "the server's own user",
            rights: AccessRights([AccessGrant(.admin)])
        )
    }

    /// The token with which a person's browser signs in at a server on this machine; nil where no
    /// server has made one.
    static func ofPerson(environment: [String: String]) throws(TokenFile.Problem) -> String? {
        if let given = given(environment) { return given }
        return try kept()
    }

    /// The token for a call: that of the environment, else for a server on this machine that of the
    /// file.
    static func ofClient(
        for target: String,
        environment: [String: String]
    ) throws(TokenFile.Problem) -> String? {
        if let given = given(environment) { return given }
        guard !target.hasPrefix("unix:"), let address = ListenAddress(argument: "tcp:" + target),
            address.isOnThisMachine
        else { return nil }
        return try kept()
    }

    /// The token of the environment; nil where it is empty too.
    static func given(_ environment: [String: String]) -> String? {
        environment["BELFRY_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The token of the file; nil where there is none.
    private static func kept() throws(TokenFile.Problem) -> String? {
        let path = path
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw problem("cannot be read") }
            return nil
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var found = stat()
        guard unsafe fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG,
            found.st_uid == geteuid(), found.st_mode & 0o077 == 0
        else { throw problem("is not a file that only its user may read: remove it") }
        guard let bytes = try? file.read(upToCount: 4_096),
            let text = String(bytes: bytes, encoding: .utf8)?
                .trimmingCharacters(in: .whitespacesAndNewlines),
            AccessToken.byteCounts.contains(text.utf8.count)
        else { throw problem("has no token: remove it, and start the server again") }
        return text
    }

    /// Makes the file, unless another server of the user makes it at the same time.
    private static func make() throws(TokenFile.Problem) -> String {
        let path = path
        let directory = (path as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        if let distrust = ServerTarget.distrust(ofSocket: ServePaths.socket, userID: geteuid()) {
            throw TokenFile.Problem(description: distrust)
        }
        let text = AccessToken.makeText()
        let temporary = "\(path).\(getpid())"
        try PrivateFile.write(Data((text + "\n").utf8), to: temporary)
        defer { _ = unsafe unlink(temporary) }
        // Link the file into its place: a link does not replace the file of another server.
        guard unsafe link(temporary, path) == 0 || errno == EEXIST else {
            throw problem("cannot be made")
        }
        guard let kept = try kept() else { throw problem("cannot be made") }
        return kept
    }

    private static func problem(_ reason: String) -> TokenFile.Problem {
        TokenFile.Problem(description: "the file of your own token, \(path), \(reason)")
    }
}
