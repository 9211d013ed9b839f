/// A text that the person types, with the place of the cursor in it.
struct TypedText: Equatable {
    /// The text before the cursor.
    var before = ""
    /// The text after the cursor.
    var after = ""

    /// The text that is typed so far.
    var text: String { before + after }

    /// Changes the text, or the place of the cursor.
    mutating func press(_ key: Key) {
        switch key {
        case .backspace: _ = before.popLast()
        case .delete: after = String(after.dropFirst())
        case .eraseLine: (before, after) = ("", "")
        case .home: (before, after) = ("", text)
        case .end: (before, after) = (text, "")
        case .left: goLeft()
        case .right: goRight()
        case .wordLeft:
            goLeft(while: { !$0.isLetter && !$0.isNumber })
            goLeft(while: { $0.isLetter || $0.isNumber })
        case .wordRight:
            goRight(while: { !$0.isLetter && !$0.isNumber })
            goRight(while: { $0.isLetter || $0.isNumber })
        case .character(let character):
            // A mark joins the letter before it.
            before.append(character)
        default: break
        }
    }

    private mutating func goLeft() {
        if let last = before.popLast() { after = String(last) + after }
    }

    private mutating func goLeft(while isPassed: (Character) -> Bool) {
        while let last = before.last, isPassed(last) { goLeft() }
    }

    private mutating func goRight() {
        guard let first = after.first else { return }
        before.append(first)
        after.removeFirst()
    }

    private mutating func goRight(while isPassed: (Character) -> Bool) {
        while let first = after.first, isPassed(first) { goRight() }
    }
}
