internal import BelfryGRPC
internal import Foundation
internal import Glibc
internal import NotificationHTTP

/// Tells the program that started the server when it serves, and at which addresses.
struct Readiness {
    /// What the line has.
    struct Line: Codable {
        /// The addresses that `--server` takes, with the real ports.
        let addresses: [String]
        /// The addresses that answer health alone.
        let healthAddresses: [String]
        /// The addresses that answer HTTP.
        let httpAddresses: [String]
        /// The server's process.
        let pid: Int32
        /// The server's version.
        let version: String
    }

    /// Where the line goes; nil is nowhere.
    private let descriptor: FileHandle?
    private let file: URL?

    /// Checks the descriptor, and removes the file of an earlier run: it would say too early that
    /// the server serves.
    ///
    /// - Throws: ``Problem``, for a person.
    init(_ options: LifeOptions) throws {
        descriptor = try options.readyFd.map { number in
            guard fcntl(number, F_GETFD) >= 0 else {
                throw Problem(description: "--ready-fd \(number): the descriptor is not open")
            }
            return FileHandle(fileDescriptor: number, closeOnDealloc: true)
        }
        file = options.readyFile.map { URL(fileURLWithPath: $0) }
        guard let file else { return }
        if WrittenFile.isOther(atPath: file.path) {
            throw Problem(
                description: "--ready-file \(file.path.printable): is there, and is no file"
            )
        }
        guard !isOfAnotherServer() else { return }
        do {
            try FileManager.default.removeItem(at: file)
        } catch CocoaError.fileNoSuchFile {
            // Usual: there was no earlier run, or it stopped in order.
        } catch {
            throw Problem(description: "--ready-file: \(error.localizedDescription)")
        }
    }

    /// Whether the server that wrote the file still runs.
    ///
    /// This server may be unable to start beside that one, so the file stays as it is until this
    /// server serves.
    private func isOfAnotherServer() -> Bool {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let file, let handle = try? FileHandle(forReadingFrom: file),
            let bytes = try? handle.read(upToCount: Self.lineBytes),
            let line = try? decoder.decode(Line.self, from: bytes), line.pid > 0,
            line.pid != getpid()
        else { return false }
        return kill(line.pid, 0) == 0 || errno == EPERM
    }

    /// More bytes than the line of any server has.
    private static let lineBytes = 1 << 16

    /// Writes the line.
    ///
    /// - Throws: ``Problem``, where nobody can learn that the server serves.
    func tell(
        _ listeners: [Server.Listener],
        health: [Server.Listener],
        web: [HTTPOptions.Address]
    ) throws {
        guard descriptor != nil || file != nil else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let line = Line(
            addresses: listeners.map { ListenAddress($0).description },
            healthAddresses: health.map { ListenAddress($0).description },
            httpAddresses: web.map(\.url),
            pid: getpid(),
            version: Belfry.version
        )
        let bytes = try encoder.encode(line) + [UInt8(ascii: "\n")]
        do {
            try descriptor?.write(contentsOf: bytes)
            try descriptor?.close()
        } catch {
            throw Problem(description: "--ready-fd: \(error.localizedDescription)")
        }
        do {
            if let file { try bytes.write(to: file, options: .atomic) }
        } catch {
            throw Problem(description: "--ready-file: \(error.localizedDescription)")
        }
    }

    /// Removes the file: the server no longer serves.
    func withdraw() {
        if let file, !WrittenFile.isOther(atPath: file.path) {
            try? FileManager.default.removeItem(at: file)
        }
    }

    /// Why nobody can be told that the server serves.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }
}
