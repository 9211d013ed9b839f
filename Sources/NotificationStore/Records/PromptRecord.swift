internal import BelfryLMDB
internal import NotificationCore

/// A prompt, as the `prompts` table keeps it.
///
/// The row of an ended prompt stays, so that a late answer is recognized: a center has few prompts
/// in all the time that its app is registered.
struct PromptRecord: Equatable {
    /// The center whose app asks.
    var center: UInt32
    /// What is asked.
    var prompt: AuthorizationPrompt
    /// When the prompt was opened.
    var openedAt: WallInstant
    /// Whether the person has not answered yet.
    var isOpen = true

    private static let version: UInt8 = 1

    init(center: UInt32, prompt: AuthorizationPrompt, openedAt: WallInstant) {
        self.center = center
        self.prompt = prompt
        self.openedAt = openedAt
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 24)
        writer.put(center)
        writer.put(prompt.kind.rawValue)
        writer.put(prompt.options.rawValue)
        writer.put(openedAt.nanoseconds)
        writer.put(isOpen)
        return writer.sealed()
    }

    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = try ByteReader(row: bytes)
        _ = try reader.version(upTo: Self.version)
        center = try reader.number()
        prompt = AuthorizationPrompt(
            kind: try reader.choice(),
            options: AuthorizationOptions(rawValue: try reader.number())
        )
        openedAt = WallInstant(nanoseconds: try reader.number())
        isOpen = try reader.bool()
        guard reader.isAtEnd else { throw ByteReader.corrupted }
    }
}
