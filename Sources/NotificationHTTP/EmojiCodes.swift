/// The short codes of pictures that tags may be, such as "warning" and "+1", as GitHub has them.
enum EmojiCodes {
    /// The picture of a tag; nil where it is a word.
    static func emoji(of tag: String) -> String? { pictures[tag] }

    private static let pictures: [String: String] = {
        var pictures: [String: String] = [:]
        for entry in (early + "," + late).split(separator: ",") {
            // A picture is followed by its codes.
            let words = entry.split(whereSeparator: \.isWhitespace)
            for code in words.dropFirst() { pictures[String(code)] = String(words[0]) }
        }
        return pictures
    }()
}
