package import NotificationCore

/// A prompt, as the `prompts` table keeps it.
///
/// The row of an ended prompt stays, so that a late answer is recognized: a center has few prompts
/// in all the time that its app is registered.
package struct PromptRecord: SealedRow, Equatable {
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

    package func write(to writer: inout ByteWriter) {
        writer.put(center)
        writer.put(prompt.kind.rawValue)
        writer.put(prompt.options.rawValue)
        openedAt.write(to: &writer)
        writer.put(isOpen)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        center = try reader.serial()
        prompt = AuthorizationPrompt(
            kind: try reader.choice(),
            options: AuthorizationOptions(rawValue: try reader.number())
        )
        openedAt = try reader.value()
        isOpen = try reader.bool()
    }
}
