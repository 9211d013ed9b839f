/// What is legal in a declaration of categories, and is likely a mistake.
public struct CategoryWarning: Hashable, Sendable {
    /// What sort of warning it is, in UPPER_SNAKE_CASE for programs.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// One action identifier means two things in two categories (K-3).
        case actionMeaningDiffers = "ACTION_MEANING_DIFFERS"
        /// A category has more actions than are ever shown (K-2).
        case actionsNotAllShown = "ACTIONS_NOT_ALL_SHOWN"
    }

    /// The sort of warning.
    public var code: Code
    /// What looks wrong and what follows from it, for a person.
    public var message: String
    /// The path in the request, such as `categories[3].actions[1].identifier`.
    public var path: String

    /// Makes a warning.
    public init(code: Code, path: String, message: String) {
        self.code = code
        self.path = path
        self.message = message
    }
}

extension CategoryWarning {
    /// What looks wrong in `added`, in the order of its paths.
    ///
    /// - Parameters:
    ///   - added: The categories of the request; each is valid.
    ///   - kept: The app's other categories.
    /// - Returns: The first ``Limits/categoryWarnings`` of them.
    /// - Complexity: O(*n*) in all actions.
    static func warnings(
        of added: [NotificationCategory],
        beside kept: [NotificationCategory]
    ) -> [CategoryWarning] {
        var meanings: [[UInt8]: Meaning] = [:]
        for category in kept {
            for action in category.actions {
                _ = meanings.meaning(of: action, in: category)
            }
        }
        var warnings: [CategoryWarning] = []
        for (index, category) in added.enumerated() {
            let path = "categories[\(index)].actions"
            if category.actions.count > NotificationCategory.roomyActionCount {
                warnings.append(.actionsNotAllShown(category, path))
            }
            for (place, action) in category.actions.enumerated() {
                let first = meanings.meaning(of: action, in: category)
                guard !first.action.means(action) else { continue }
                let path = "\(path)[\(place)].identifier"
                warnings.append(.actionMeaningDiffers(path, first.category))
            }
            guard warnings.count < Limits.categoryWarnings else { break }
        }
        return Array(warnings.prefix(Limits.categoryWarnings))
    }

    private static func actionsNotAllShown(
        _ category: NotificationCategory,
        _ path: String
    ) -> CategoryWarning {
        CategoryWarning(
            code: .actionsNotAllShown,
            path: path,
            message: """
                has \(category.actions.count) actions: at most \
                \(NotificationCategory.roomyActionCount) are shown, and \
                \(NotificationCategory.tightActionCount) where room is tight
                """
        )
    }

    private static func actionMeaningDiffers(_ path: String, _ category: String) -> CategoryWarning
    {
        CategoryWarning(
            code: .actionMeaningDiffers,
            path: path,
            message: """
                has another title or other options in category \(category): a response names \
                only the action, so the app may take one for the other
                """
        )
    }
}

/// The first action with an identifier, and whose it is.
private struct Meaning {
    let action: NotificationAction
    let category: String
}

extension [[UInt8]: Meaning] {
    /// The first action with the identifier of `action`, which is itself where there was none.
    fileprivate mutating func meaning(
        of action: NotificationAction,
        in category: NotificationCategory
    ) -> Meaning {
        let key = [UInt8](action.identifier.utf8)
        if let first = self[key] { return first }
        let first = Meaning(action: action, category: category.identifier)
        self[key] = first
        return first
    }
}

extension NotificationAction {
    /// Whether it means what `other` does: text input is a different thing to do as well.
    fileprivate func means(_ other: NotificationAction) -> Bool {
        title == other.title && localizedTitle == other.localizedTitle
            && options == other.options
            && (textInput == nil) == (other.textInput == nil)
    }
}
