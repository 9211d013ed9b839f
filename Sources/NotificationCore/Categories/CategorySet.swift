package struct CategoryTotals: Hashable, Sendable {
    package var count = 0
    /// The UTF-8 bytes of all their text.
    package var byteCount = 0
    /// How many of their actions are known by identifier, at most ``Limits/comparedActions``.
    package var comparedActions = 0

    package init() {}
}

/// The categories that an app has declared, in the order of their identifiers' bytes.
///
/// A set may be a part of them, which is enough to change that part: it knows how many the others
/// are. A change reaches notifications that were delivered before it, since the category is looked
/// up when a notification is shown (K-5).
package struct CategorySet: Hashable, Sendable {
    /// The categories, each with its own identifier; bytes decide their order.
    package private(set) var categories: [NotificationCategory] = []
    /// The UTF-8 bytes of the text of all of the app's categories; at most
    /// ``Limits/categorySetBytes``.
    package private(set) var byteCount = 0
    /// How many categories the app has beside ``categories``.
    private var others = 0
    package var count: Int { categories.count + others }

    /// Makes the set of an app that declared none.
    package init() {}

    /// Makes a set from its stored categories.
    ///
    /// - Precondition: The categories are in the order of ``categories``, as they were stored.
    package init(stored categories: [NotificationCategory]) {
        precondition(
            zip(categories, categories.dropFirst()).allSatisfy { earlier, later in
                earlier.identifier < later.identifier
            },
            "stored categories are out of order"
        )
        self.categories = categories
        byteCount = categories.reduce(0) { $0 + $1.byteCount }
    }

    /// Makes a part of a set.
    ///
    /// - Parameters:
    ///   - categories: The categories of the part, in any order.
    ///   - totals: What all categories of the app are together.
    package init(part categories: [NotificationCategory], of totals: CategoryTotals) {
        self.init(stored: categories.sorted { $0.identifier < $1.identifier })
        others = max(0, totals.count - categories.count)
        byteCount = totals.byteCount
    }

    /// Gives the category that `identifier` names; case matters.
    ///
    /// - Complexity: O(log *n*) in the categories.
    package subscript(identifier: String) -> NotificationCategory? {
        let place = place(of: identifier)
        guard place < categories.endIndex,
            categories[place].identifier.isExactly(identifier)
        else { return nil }
        return categories[place]
    }

    /// Gives the action that `identifier` names in a category (K-6).
    ///
    /// - Complexity: O(log *n*) in the categories and O(*n*) in the category's actions.
    package func action(_ identifier: String, of category: String) -> NotificationAction? {
        self[category]?.action(identifier)
    }

    /// Replaces the whole set (§3.11).
    ///
    /// - Parameter categories: The new set, in any order; empty leaves none.
    /// - Returns: Warnings of likely mistakes: at most ``Limits/categoryWarnings``.
    /// - Throws: The first refusal, which names the category. The set is then as it was.
    /// - Complexity: O(*n* log *n*) in the categories and their actions.
    package mutating func replace(
        with categories: [NotificationCategory]
    ) throws(Refusal) -> [CategoryWarning] {
        var set = CategorySet()
        let warnings = try set.upsert(categories)
        self = set
        return warnings
    }

    /// Adds categories, or replaces those with the same identifier (K-9).
    ///
    /// - Parameter added: The categories to add, in any order; the other categories stay.
    /// - Returns: Warnings of likely mistakes in the added categories: at most
    ///   ``Limits/categoryWarnings``.
    /// - Throws: The first refusal, as for ``replace(with:)``; `CATEGORY_LIMIT` where the whole set
    ///   would be too large. The set is then as it was.
    /// - Complexity: O(*n* log *n*) in all categories and their actions.
    package mutating func upsert(
        _ added: [NotificationCategory]
    ) throws(Refusal) -> [CategoryWarning] {
        try Self.validate(added)
        let order = added.indices.sorted {
            added[$0].identifier < added[$1].identifier
        }
        let kept = categories.filter { category in
            !Self.contains(category.identifier, in: order.lazy.map { added[$0].identifier })
        }
        let all = (kept + added).sorted { $0.identifier < $1.identifier }
        var set = CategorySet(stored: all)
        set.others = others
        set.byteCount += byteCount - categories.reduce(0) { $0 + $1.byteCount }
        guard set.count <= Limits.categoriesPerCenter else {
            throw .categoryLimit("categories", Limits.categoriesPerCenter)
        }
        guard set.byteCount <= Limits.categorySetBytes else {
            throw .categoryLimit("bytes of categories", Limits.categorySetBytes)
        }
        self = set
        return CategoryWarning.warnings(of: added, beside: kept)
    }

    /// Removes categories (K-9).
    ///
    /// - Parameter identifiers: The categories to remove; unknown identifiers are ignored, and an
    ///   empty list removes nothing.
    /// - Returns: The identifiers of the removed categories, in the order of ``categories``.
    /// - Complexity: O(*n* log *n*) in the identifiers and the categories.
    package mutating func remove(_ identifiers: [String]) -> [String] {
        let order = identifiers.sorted { $0 < $1 }
        let removed = categories.filter { Self.contains($0.identifier, in: order) }
        guard !removed.isEmpty else { return [] }
        categories.removeAll { Self.contains($0.identifier, in: order) }
        byteCount -= removed.reduce(0) { $0 + $1.byteCount }
        return removed.map(\.identifier)
    }

    private static func validate(_ added: [NotificationCategory]) throws(Refusal) {
        for (index, category) in added.enumerated() {
            do {
                try category.validate()
            } catch {
                throw error.within(.element(index, of: .categories))
            }
        }
        if let (earlier, later) = added.map(\.identifier).firstRepetition {
            throw .categoryInvalid(
                .element(later, of: .categories).appending(.identifier),
                "is that of categories[\(earlier)] too"
            )
        }
    }

    /// The index at which the category with this identifier is, or would be inserted.
    private func place(of identifier: String) -> Int {
        categories.firstPlace { !($0.identifier < identifier) }
    }

    private static func contains(
        _ identifier: String,
        in sorted: some RandomAccessCollection<String>
    ) -> Bool {
        let place = sorted.firstPlace { !($0 < identifier) }
        return place != sorted.endIndex && sorted[place].isExactly(identifier)
    }
}

extension RandomAccessCollection {
    /// The first index whose element fulfils a condition that all later elements fulfil too.
    fileprivate func firstPlace(where isAtOrAfter: (Element) -> Bool) -> Index {
        var (low, count) = (startIndex, count)
        while count > 0 {
            let middle = index(low, offsetBy: count / 2)
            if isAtOrAfter(self[middle]) {
                count /= 2
            } else {
                low = index(after: middle)
                count -= count / 2 + 1
            }
        }
        return low
    }
}

extension Refusal {
    /// A center would have more categories, or bytes of them, than it may.
    package static func categoryLimit(_ what: String, _ limit: Int) -> Refusal {
        Refusal(
            .resourceExhausted,
            reason: .categoryLimit,
            message: "a center has at most \(limit) \(what): remove some first",
            fields: [WrongField([.categories], "at most \(limit) \(what) are kept")],
            namesFields: false,
            facts: [.limit: "\(limit)"]
        )
    }
}
