internal import Foundation
internal import Glibc
internal import NotificationClient
internal import NotificationService

/// A code with which a person's browser signs in, once and soon, in the place of a token.
///
/// It is a file beside the socket, which only the user may read: its name is the digest of the
/// code, and it has the token.
enum SignInCode {
    /// How long a code counts.
    static let seconds = 600

    private static var directory: String {
        PrivateFile.directory(of: ServePaths.socket) + "/sign-in"
    }

    /// Makes a code that stands for a token.
    static func make(for token: String) throws(TokenFile.Problem) -> String {
        let directory = directory
        try? FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        if let distrust = ServerTarget.distrust(ofSocket: ServePaths.socket, userID: geteuid()) {
            throw TokenFile.Problem(description: distrust)
        }
        removeOld(in: directory)
        // 128 random bits.
        let code = String(AccessToken.makeText().suffix(32))
        try PrivateFile.write(Data(token.utf8), to: path(of: code))
        return code
    }

    /// The token of a code, which then counts no more; nil where it is none.
    static func redeem(_ code: String) -> String? {
        // Bounded: a longer text is no code.
        guard code.utf8.count <= 64 else { return nil }
        let path = path(of: code)
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var found = stat()
        guard unsafe fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG,
            found.st_uid == geteuid(), found.st_mode & 0o077 == 0, !isOld(found)
        else { return nil }
        // Of two who show it at a time, one removes it.
        guard unsafe unlink(path) == 0 else { return nil }
        return (try? file.read(upToCount: 4_096)).flatMap { String(bytes: $0, encoding: .utf8) }
    }

    /// The link to a server's page with which a browser signs in.
    ///
    /// The code is behind the `#`, so that no server, no log and no other page gets it.
    static func link(to url: String, code: String, device: String?) -> String {
        var link = "\(url)/#sign-in=\(code)"
        if let device { link += "&device=\(device)" }
        return link
    }

    private static func path(of code: String) -> String {
        let name = AccessToken(text: code, name: "", rights: AccessRights([])).sha256
        return "\(directory)/\(name)"
    }

    private static func isOld(_ file: stat) -> Bool {
        abs(Int(Date().timeIntervalSince1970) - Int(file.st_mtim.tv_sec)) > seconds
    }

    private static func removeOld(in directory: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
            let path = "\(directory)/\(name)"
            var found = stat()
            if unsafe lstat(path, &found) == 0, isOld(found) { _ = unsafe unlink(path) }
        }
    }
}

/// Where this user's server answers HTTP: a file beside its socket, which `belfry open` reads.
struct PageAddress {
    private let file: HeldFile

    private static var path: String { PrivateFile.directory(of: ServePaths.socket) + "/page" }

    /// Tells where a server answers; nil where it cannot be told.
    init?(_ url: String) {
        guard let file = try? HeldFile(Data((url + "\n").utf8), at: Self.path) else { return nil }
        self.file = file
    }

    /// The address that a person names, without a slash behind it; without a name that of the
    /// user's own server.
    static func named(_ url: String?) throws(TokenFile.Problem) -> String {
        if let url { return url.hasSuffix("/") ? String(url.dropLast()) : url }
        guard HeldFile.isHeld(atPath: path),
            let text = try? String(contentsOfFile: path, encoding: .utf8)
        else {
            throw TokenFile.Problem(
                description: """
                    no server of yours answers HTTP: start it with --http-listen, or say --url
                    """,
                exitReason: .unreachable
            )
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The server answers no longer.
    func remove() { file.remove() }
}
