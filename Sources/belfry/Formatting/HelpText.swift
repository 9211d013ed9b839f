/// The help of a command, as people read it.
enum HelpText {
    /// Where what all commands take begins, and what may stand behind it.
    private static let shared = "SERVER:"

    /// The help with the command's own options before those that all commands take.
    static func ordered(_ help: String) -> String {
        // Move the unnamed section, which the parser puts last; empty lines separate the sections.
        let isEnded = help.hasSuffix("\n")
        let text = isEnded ? help.dropLast() : help[...]
        var sections = text.split(separator: "\n\n", omittingEmptySubsequences: false)
        guard let from = sections.firstIndex(where: { $0.hasPrefix(shared + "\n") }),
            let own = sections.lastIndex(where: { $0.hasPrefix("OPTIONS:\n") }), own > from
        else { return help }
        let section = sections.remove(at: from)
        sections.insert(section, at: own)
        return sections.joined(separator: "\n\n") + (isEnded ? "\n" : "")
    }
}
