internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

/// The program that `belfry watch --exec` runs for each event.
struct EventAction {
    let command: String

    /// Runs the command and waits until it ends: with the frame as JSON on its standard input, and
    /// the event in `BELFRY_EVENT_NUMBER`, `BELFRY_EVENT_KIND`, `BELFRY_IDENTIFIER`, `BELFRY_TITLE`
    /// and `BELFRY_BODY`.
    ///
    /// - Returns: The exit status.
    /// - Throws: Where the shell cannot be run.
    func run(_ event: Belfry_V1_Event, json: String) async throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.environment = ProcessInfo.processInfo.environment.merging(Self.variables(event)) {
            $1
        }
        process.standardInput = try Self.input(json)
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }

    private static func variables(_ event: Belfry_V1_Event) -> [String: String] {
        let content = event.delivered.notification.request.content
        return [
            "BELFRY_EVENT_NUMBER": "\(event.number)",
            "BELFRY_EVENT_KIND": EventText.kind(of: event),
            "BELFRY_IDENTIFIER": EventText.identifier(of: event),
            "BELFRY_TITLE": content.title, "BELFRY_BODY": content.body,
        ].mapValues { value in
            // Replace a zero, at which a text of the environment ends.
            value.unicodeScalars.contains("\0") ? value.replacing("\0", with: " ") : value
        }
    }

    /// A file in memory, so that a command that reads nothing does not hold the watch up.
    private static func input(_ json: String) throws -> FileHandle {
        let descriptor = try MemoryFile.holding(Data((json + "\n").utf8))
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
