package import NotificationCore

/// A prompt, as the `prompts` table keeps it.
///
/// The row of an ended prompt stays, so that a late answer is recognized: a center has few prompts
/// in all the time that its app is registered.
package struct PromptRecord: TableRow, Equatable {
    package var center: CenterNumber
    package var prompt: AuthorizationPrompt
    package var openedAt: WallInstant
    /// Whether the person has not answered yet.
    package var isOpen = true

    package init(center: CenterNumber, prompt: AuthorizationPrompt, openedAt: WallInstant) {
        self.center = center
        self.prompt = prompt
        self.openedAt = openedAt
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 24)
        writer.put(center)
        writer.put(prompt.kind.rawValue)
        writer.put(prompt.options.rawValue)
        writer.put(openedAt.nanoseconds)
        writer.put(isOpen)
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        center = try reader.serial()
        prompt = AuthorizationPrompt(
            kind: try reader.choice(),
            options: AuthorizationOptions(rawValue: try reader.number())
        )
        openedAt = WallInstant(nanoseconds: try reader.number())
        isOpen = try reader.bool()
        guard reader.isAtEnd else { throw .undecodable }
    }
}
