internal import Foundation
internal import Glibc
internal import NotificationService

/// The file of a server's tokens: `belfry token` writes it, `belfry serve` reads it.
///
/// It has the digests of the tokens, not their texts.
struct TokenFile {
    /// An entry of the file: a token without its text.
    struct Entry: Codable, Equatable {
        /// The use of the token, as the person named it.
        var name: String
        /// The SHA-256 of the token's text, in hexadecimal.
        var sha256: String
        /// The rights of the bearer, such as `app:org.example.*`.
        var roles: [String]
        var created: Date
        /// From when on the token counts no more; nil is never.
        var expires: Date?

        /// The beginning of the digest, by which a person names the token.
        var identifier: String { String(sha256.prefix(8)) }

        /// Whether the token counts no more.
        func isExpired(at date: Date) -> Bool { expires.map { $0 <= date } ?? false }
    }

    private struct Content: Codable {
        var tokens: [Entry]
    }

    /// Why a file cannot be read or written, for a person.
    struct Problem: Error, CustomStringConvertible {
        let description: String
        /// The exit status of a command.
        var exitReason = ExitReason.badData

        /// The file does not allow the change.
        static func refused(_ description: String) -> Problem {
            Problem(description: description, exitReason: .refused)
        }

        /// The file does not have the token.
        static func notFound(_ description: String) -> Problem {
            Problem(description: description, exitReason: .notFound)
        }
    }

    let path: String

    private static let maximumByteCount = 1 << 20

    /// How often the lock is tried, every 10 ms.
    private static let lockTries = 500

    /// How many tokens of one name count at a time.
    private static let liveOfOneName = 2

    static func path(in dataDirectory: String) -> String { dataDirectory + "/tokens.json" }

    /// Reads the tokens; none where there is no file.
    ///
    /// - Throws: ``Problem``, also where other users may write the file.
    func entries() throws(Problem) -> [Entry] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard errno == ENOENT else {
                throw problem("cannot be read: \(POSIXError.last.reason)")
            }
            return []
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var found = stat()
        guard unsafe fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
            throw problem("is no file")
        }
        guard geteuid() == 0 || found.st_uid == geteuid() || found.st_uid == 0 else {
            throw problem("belongs to another user (\(found.st_uid))")
        }
        guard found.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw problem("may be written by other users: chmod go-w \(path)")
        }
        guard let bytes = try? file.read(upToCount: Self.maximumByteCount + 1) ?? Data() else {
            throw problem("cannot be read")
        }
        guard bytes.count <= Self.maximumByteCount else { throw problem("is above 1 MiB") }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let entries: [Entry]
        do {
            entries = try decoder.decode(Content.self, from: bytes).tokens
        } catch {
            throw problem("is not what 'belfry token' writes: \(Self.reason(error))")
        }
        if let wrong = entries.first(where: { AccessToken($0) == nil }) {
            throw problem("has a token that is not what 'belfry token' writes: \(wrong.name)")
        }
        return entries
    }

    /// Changes the tokens, while no other process does.
    func change<R>(_ body: (inout [Entry]) throws -> R) throws -> R {
        let directory = PrivateFile.directory(of: path)
        do {
            try FileManager.default.createDirectory(
                atPath: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw problem("cannot be made: \(error.reason)")
        }
        let lock = try lock(in: directory)
        defer { close(lock) }
        // Do not wait for longer: a server's call would wait with it.
        var tries = 0
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            tries += 1
            guard errno == EWOULDBLOCK || errno == EINTR, tries < Self.lockTries else {
                throw problem("cannot be locked: \(POSIXError.last.reason)")
            }
            usleep(10_000)
        }
        var entries = try entries()
        let result = try body(&entries)
        try write(entries)
        return result
    }

    /// Whether a token can have this name.
    static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name.printable == name
    }

    /// Makes a token that counts from now on.
    ///
    /// - Returns: The text of the token, and what the file says of it.
    func create(
        _ name: String,
        _ roles: [AccessGrant],
        seconds: Int64?
    ) throws -> (text: String, entry: Entry) {
        let text = AccessToken.makeText()
        // The file keeps whole seconds: tell what it keeps.
        let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        let entry = Entry(
            name: name,
            sha256: AccessToken(text: text, name: name, rights: AccessRights(roles)).sha256,
            roles: roles.map(\.description),
            created: now,
            expires: seconds.map { now.addingTimeInterval(TimeInterval($0)) }
        )
        try change { entries in
            let live = entries.filter { $0.name == name && !$0.isExpired(at: now) }
            guard live.count < Self.liveOfOneName else {
                let identifiers = live.map(\.identifier).joined(separator: " and ")
                throw Problem.refused(
                    """
                    two tokens named \(name) count already: revoke \(identifiers), whichever \
                    is not in use
                    """
                )
            }
            entries.append(entry)
        }
        return (text, entry)
    }

    /// Takes out the token that has this identifier or name.
    func revoke(_ token: String) throws -> Entry {
        try change { entries in
            let found = entries.indices.filter { index in
                entries[index].name == token || entries[index].identifier == token
            }
            guard let index = found.first else {
                throw Problem.notFound("there is no token \(token.printable)")
            }
            guard found.count == 1 else {
                let identifiers = found.map { entries[$0].identifier }
                throw Problem.refused(
                    """
                    \(found.count) tokens are named \(token): say one of \
                    \(identifiers.joined(separator: ", "))
                    """
                )
            }
            return entries.remove(at: index)
        }
    }

    /// Opens the file that is locked while the tokens change.
    private func lock(in directory: String) throws(Problem) -> Int32 {
        let path = path + ".lock"
        let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW
        let made = unsafe open(path, flags | O_CREAT | O_EXCL, 0o600)
        if made >= 0 {
            // Give the file to the directory's user: root may make a token for that user's server.
            PrivateFile.giveToOwner(of: directory, made)
            return made
        }
        // Another process has made it: only then is there one to open.
        let found = errno == EEXIST ? unsafe open(path, flags) : -1
        guard found >= 0 else {
            throw Problem(description: "\(path) cannot be opened: \(POSIXError.last.reason)")
        }
        return found
    }

    private func write(_ entries: [Entry]) throws(Problem) {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(Content(tokens: entries)) else {
            throw problem("cannot be encoded")
        }
        guard bytes.count < Self.maximumByteCount else {
            throw Problem.refused("\(path) would be above 1 MiB: revoke tokens that nobody uses")
        }
        try PrivateFile.write(bytes + [UInt8(ascii: "\n")], to: path)
    }

    private func problem(_ reason: String) -> Problem {
        Problem(description: "\(path) \(reason)")
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return error.reason }
        switch error {
        case .keyNotFound(let key, _): return "\(key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            let names = context.codingPath.map(\.stringValue).joined(separator: ".")
            return names.isEmpty ? "it is no JSON" : "\(names) is wrong"
        @unknown default: return "it is no JSON"
        }
    }
}

extension AccessToken {
    /// The token of an entry; nil where the entry is not what `belfry token` writes.
    init?(_ entry: TokenFile.Entry) {
        var digest: [UInt8] = []
        var rest = entry.sha256[...]
        while rest.count >= 2, let byte = UInt8(rest.prefix(2), radix: 16) {
            digest.append(byte)
            rest = rest.dropFirst(2)
        }
        let grants = entry.roles.compactMap { AccessGrant($0) }
        guard digest.count == 32, rest.isEmpty, !grants.isEmpty, grants.count == entry.roles.count
        else { return nil }
        self.init(digest: digest, name: entry.name, rights: AccessRights(grants))
    }
}
