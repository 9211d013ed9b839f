/// The problem of a text of the command line, and the text to write instead.
///
/// The command line names the flag and the text before it.
struct TextProblem: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
