internal import Foundation
internal import Logging

/// Logs one JSON object on each line of standard error, for programs that gather logs.
struct JSONLogHandler: LogHandler {
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    private struct Line: Encodable {
        let time: String
        let level: String
        let source: String
        let message: String
        let metadata: [String: String]?
    }

    func log(event: LogEvent) {
        var all = metadata
        for more in [metadataProvider?.get(), event.metadata] {
            all.merge(more ?? [:]) { _, later in later }
        }
        let now = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let line = Line(
            time: now,
            level: event.level.rawValue,
            source: event.source,
            message: event.message.description,
            metadata: all.isEmpty ? nil : all.mapValues(\.description)
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Drop the line where standard error is closed. Texts always encode.
        guard let bytes = try? encoder.encode(line) else { return }
        try? FileHandle.standardError.write(contentsOf: bytes + Data("\n".utf8))
    }
}
