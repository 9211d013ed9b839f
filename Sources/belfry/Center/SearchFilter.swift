internal import Foundation
internal import NotificationProtocol

/// Finds notifications by words of their texts and of their apps' names.
struct SearchFilter {
    private let words: [String]

    /// Takes the words of a text, which are divided by spaces.
    init(_ text: String) {
        words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    var isEmpty: Bool { words.isEmpty }

    /// Whether each word is somewhere in what is shown of the notification, or in its app's name:
    /// in capitals or small letters, wide or narrow, with or without accents.
    func finds(_ notification: Belfry_V1_RenderedNotification) -> Bool {
        if words.isEmpty { return true }
        let texts = [
            notification.appName, notification.title, notification.subtitle, notification.body,
        ]
        let all = texts.joined(separator: "\n")
        return words.allSatisfy { word in
            all.range(
                of: word,
                options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
            ) != nil
        }
    }
}
