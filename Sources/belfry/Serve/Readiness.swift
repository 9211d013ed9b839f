internal import BelfryGRPC
internal import Foundation
internal import Glibc
internal import NotificationHTTP

/// Tells the program that started the server when it serves, and at which addresses.
struct Readiness {
    struct Line: Encodable {
        /// The addresses that `--server` takes, with the real ports.
        let addresses: [String]
        /// The addresses that answer health alone.
        let healthAddresses: [String]
        let httpAddresses: [String]
        /// The server's process.
        let pid: Int32
        let version: String
    }

    /// Where the line goes; nil is nowhere.
    private let descriptor: FileHandle?
    private let file: URL?
    /// The file, once this server serves.
    private var told: HeldFile?

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
        // Leave the file to the server that holds it: this server may be unable to start beside
        // that one.
        guard !HeldFile.isHeld(atPath: file.path) else { return }
        do {
            try FileManager.default.removeItem(at: file)
        } catch CocoaError.fileNoSuchFile {
            // There usually is no file: no earlier run, or one that stopped in order.
        } catch {
            throw Problem(
                description: "--ready-file \(file.path.printable): \(error.reason)"
            )
        }
    }

    /// Writes the line.
    ///
    /// - Throws: ``Problem``, where nobody can learn that the server serves.
    mutating func tell(
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
            throw Problem(description: "--ready-fd: \(error.reason)")
        }
        do {
            if let file { told = try HeldFile(bytes, at: file.path) }
        } catch {
            let path = file?.path.printable ?? ""
            throw Problem(description: "--ready-file \(path): \(error.reason)")
        }
    }

    /// Removes the file: the server no longer serves.
    func withdraw() { told?.remove() }

    /// Why nobody can be told that the server serves.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }
}
