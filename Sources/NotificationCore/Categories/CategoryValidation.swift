extension NotificationCategory {
    /// Checks the category as far as that needs no other category (§3.5, §3.6).
    ///
    /// Paths in the refusals are relative to the category.
    ///
    /// - Throws: The first refusal, in the order of the fields: `CATEGORY_INVALID`,
    ///   `ACTION_INVALID`, `LOCALIZATION_KEY_INVALID` or `CATEGORY_TOO_LARGE`.
    /// - Complexity: O(bytes of the text), and O(*n* log *n*) in the actions.
    package func validate() throws(Refusal) {
        guard (1...Limits.categoryIdentifierBytes).contains(identifier.utf8.count) else {
            throw .categoryInvalid(
                [.identifier],
                "an identifier is 1-\(Limits.categoryIdentifierBytes) bytes of UTF-8"
            )
        }
        try actions.validate()
        try snooze?.validate()
        guard intentIdentifiers.count <= Limits.intentsPerCategory else {
            throw .categoryInvalid(
                [.intentIdentifiers],
                "at most \(Limits.intentsPerCategory) are kept"
            )
        }
        guard hiddenPreviewsBodyPlaceholder.formatsOnlyNumbers else {
            throw .categoryInvalid(
                [.hiddenPreviewsBodyPlaceholder],
                "%u is the only format: every % needs a u after it"
            )
        }
        try localizedHiddenPreviewsBodyPlaceholder?
            .validate([.localizedHiddenPreviewsBodyPlaceholder])
        try localizedSummaryFormat?.validate([.localizedSummaryFormat])
        guard byteCount <= Limits.categoryBytes else {
            throw .invalid(
                [.identifier],
                "the category is \(byteCount) bytes; at most \(Limits.categoryBytes) are kept",
                reason: .categoryTooLarge
            )
        }
    }
}

extension [NotificationAction] {
    /// Checks buttons as those of a category; paths begin with `actions`.
    ///
    /// - Throws: The first refusal, in the order of the buttons: `ACTION_INVALID` or
    ///   `LOCALIZATION_KEY_INVALID`.
    /// - Complexity: O(bytes of the text), and O(*n* log *n*) in the buttons.
    func validate() throws(Refusal) {
        // Most notifications have none, and the search for a repetition would allocate.
        guard !isEmpty else { return }
        guard count <= Limits.actionsPerCategory else {
            throw .tooManyActions([.actions])
        }
        for (index, action) in enumerated() {
            let place = FieldPath.element(index, of: .actions)
            let path = place.appending(.identifier)
            guard
                (1...Limits.categoryIdentifierBytes).contains(action.identifier.utf8.count)
            else {
                throw .actionInvalid(
                    path,
                    "an identifier is 1-\(Limits.categoryIdentifierBytes) bytes of UTF-8"
                )
            }
            let reserved = [
                NotificationAction.defaultIdentifier, NotificationAction.dismissIdentifier,
                NotificationAction.snoozeIdentifier,
            ]
            guard !reserved.contains(where: action.identifier.isExactly) else {
                throw .actionInvalid(path, "is reserved for what the system itself offers")
            }
            try action.localizedTitle?.validate(place.appending(.localizedTitle))
        }
        if let (earlier, later) = map(\.identifier).firstRepetition {
            throw .actionInvalid(
                .element(later, of: .actions).appending(.identifier),
                "is that of actions[\(earlier)] in the same category"
            )
        }
    }

    /// Checks the buttons of one presentation, which are judged as those of a category (NCE-5).
    ///
    /// - Throws: As ``validate()``, and `CATEGORY_TOO_LARGE`.
    /// - Complexity: As ``validate()``.
    package func validateForPresentation() throws(Refusal) {
        try validate()
        let byteCount = reduce(0) { $0 + $1.byteCount }
        guard byteCount <= Limits.categoryBytes else {
            throw .invalid(
                [.actions],
                "are \(byteCount) bytes; at most \(Limits.categoryBytes) are kept",
                reason: .categoryTooLarge
            )
        }
    }
}

extension [String] {
    /// The indexes of the first string that repeats an earlier string, byte for byte.
    ///
    /// - Complexity: O(*n* log *n*): sorted instead of hashed, since Swift's hash does not tell
    ///   apart texts that only look alike.
    var firstRepetition: (earlier: Int, later: Int)? {
        let order = indices.sorted { left, right in
            if self[left] < self[right] { return true }
            return left < right && self[left].isExactly(self[right])
        }
        let repetitions = zip(order, order.dropFirst()).filter { earlier, later in
            self[earlier].isExactly(self[later])
        }
        return repetitions.min { $0.1 < $1.1 }
    }
}

extension String {
    /// Whether every `%` begins a `%u` (LK-1).
    fileprivate var formatsOnlyNumbers: Bool {
        var rest = utf8[...]
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            rest = rest[percent...].dropFirst()
            guard rest.first == UInt8(ascii: "u") else { return false }
        }
        return true
    }
}

extension Refusal {
    static func categoryInvalid(_ path: FieldPath, _ problem: String) -> Refusal {
        invalid(path, problem, reason: .categoryInvalid)
    }

    /// Refuses a category of more actions than are kept.
    package static func tooManyActions(_ path: FieldPath) -> Refusal {
        actionInvalid(path, "at most \(Limits.actionsPerCategory) are kept")
    }

    fileprivate static func actionInvalid(_ path: FieldPath, _ problem: String) -> Refusal {
        invalid(path, problem, reason: .actionInvalid)
    }
}
