/// A warning of a legal but likely mistaken declaration of a category.
package struct CategoryWarning: Hashable, Sendable {
    /// The kinds of warnings, in UPPER_SNAKE_CASE for programs.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// Two categories give an action identifier different meanings (K-3).
        case actionMeaningDiffers = "ACTION_MEANING_DIFFERS"
        /// A category has more actions than are ever shown (K-2).
        case actionsNotAllShown = "ACTIONS_NOT_ALL_SHOWN"
    }

    package var code: Code
    /// The likely mistake and its consequence, for a person.
    package var message: String
    package var path: FieldPath

    package init(code: Code, path: FieldPath, message: String) {
        self.code = code
        self.path = path
        self.message = message
    }
}

extension CategoryWarning {
    /// Gives the warnings of `added`, in the order of their paths.
    ///
    /// - Parameters:
    ///   - added: The categories of the request; each is valid.
    ///   - kept: The app's other categories.
    /// - Returns: The first ``Limits/categoryWarnings`` warnings.
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
            let path = FieldPath.element(index, of: .categories).appending(.actions)
            if category.actions.count > NotificationCategory.roomyActionCount {
                warnings.append(.actionsNotAllShown(category, path))
            }
            for (place, action) in category.actions.enumerated() {
                let first = meanings.meaning(of: action, in: category)
                guard !first.action.means(action) else { continue }
                warnings.append(
                    .actionMeaningDiffers(path[place].appending(.identifier), first.category)
                )
            }
            guard warnings.count < Limits.categoryWarnings else { break }
        }
        return Array(warnings.prefix(Limits.categoryWarnings))
    }

    private static func actionsNotAllShown(
        _ category: NotificationCategory,
        _ path: FieldPath
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

    private static func actionMeaningDiffers(
        _ path: FieldPath,
        _ category: String
    ) -> CategoryWarning {
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

/// The first action with an identifier, and the category of that action.
private struct Meaning {
    let action: NotificationAction
    let category: String
}

extension [[UInt8]: Meaning] {
    /// The first action with the identifier of `action`: `action` itself where there was no earlier
    /// one.
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
    /// Whether the action means the same as `other`; an action with text input means something
    /// else.
    fileprivate func means(_ other: NotificationAction) -> Bool {
        title == other.title && localizedTitle == other.localizedTitle
            && options == other.options
            && (textInput == nil) == (other.textInput == nil)
    }
}
