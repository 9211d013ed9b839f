internal import Testing

/// A snippet of code, and the finds of a scanner, each in one line of text.
struct Snippet: CustomTestStringConvertible {
    let what: String
    let text: String
    let found: [String]
    var testDescription: String { what }

    init(_ what: String, _ text: String, _ found: String...) {
        self.what = what
        self.text = text
        self.found = found
    }
}
