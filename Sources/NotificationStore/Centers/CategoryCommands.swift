internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

extension Store {
    /// Replaces all categories of a center, registering the app where it is new (§5).
    ///
    /// `categories` is the new set, in any order; empty leaves none. `completion` is told the
    /// warnings, once the categories are durable, or the refusal of ``CategorySet/replace(with:)``,
    /// which changes nothing.
    package func setCategories(
        _ categories: [NotificationCategory],
        of center: CenterName,
        by registrant: Registrant? = nil,
        once key: OnceKey? = nil,
        completion: @escaping Completion<[CategoryWarning]>
    ) {
        let command = SetCategoriesCommand(
            center: center,
            categories: categories,
            keepsOthers: false,
            registrant: registrant,
            mayRegister: registersNewApps
        )
        submit(command, once: key, completion)
    }

    /// Adds categories; each replaces the category with its identifier (K-9).
    ///
    /// `categories` are the categories to add; an empty list changes nothing. `completion` is told
    /// the warnings, once the categories are durable, or the refusal of ``CategorySet/upsert(_:)``,
    /// which changes nothing.
    package func upsertCategories(
        _ categories: [NotificationCategory],
        of center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<[CategoryWarning]>
    ) {
        let command = SetCategoriesCommand(
            center: center,
            categories: categories,
            keepsOthers: true,
            registrant: nil,
            mayRegister: false
        )
        submit(command, once: key, completion)
    }

    /// Removes categories by identifier; unknown identifiers are ignored, and an empty list removes
    /// nothing.
    ///
    /// `completion` is told the identifiers of the removed categories, in the requested order, once
    /// the removal is durable.
    package func removeCategories(
        _ identifiers: [String],
        from center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<[String]>
    ) {
        let command = RemoveCategoriesCommand(center: center, identifiers: identifiers)
        submit(command, once: key, completion)
    }

    /// Reads all categories of a center; `completion` runs on a reader thread.
    ///
    /// `completion` is told the categories in the order of their identifiers' bytes.
    package func listCategories(
        of center: CenterName,
        for caller: ReadCaller = ReadCaller(),
        completion: @escaping Completion<[NotificationCategory]>
    ) {
        lists.read(for: caller, completion) { [self] () throws(Refusal) in
            try categories(of: center)
        }
    }

    private func categories(of center: CenterName) throws(Refusal) -> [NotificationCategory] {
        try damage.orRefuse {
            // Read in one transaction, so that no change comes between two parts of the set.
            try environment.reading { transaction throws(StoreFailure) in
                guard let number = try transaction.rowIfAny(center, in: tables.centerNumbers) else {
                    return Result<[NotificationCategory], Refusal>.failure(.notRegistered(center))
                }
                return .success(try transaction.categories(of: number, tables).categories)
            }.get()
        }
    }
}

struct SetCategoriesCommand: CenterCommand {
    let center: CenterName
    let categories: [NotificationCategory]
    /// Whether the center's other categories stay.
    let keepsOthers: Bool
    let registrant: Registrant?
    let mayRegister: Bool

    var cost: Int { max(1, categories.reduce(0) { $0 + 1 + $1.comparedActions.count }) }

    var growth: Growth { .asked }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<[CategoryWarning]> {
        let known = try batch.center(center)
        guard known != nil || mayRegister else { return .done(.failure(.notRegistered(center))) }
        var before = CategorySet()
        if let known {
            let stored = CenterCategories(center: known)
            before = try keepsOthers ? stored.part(besideNew: categories) : stored.all()
        }
        var after = before
        let warnings = try StoreFailure.ofRefusal { () throws(Refusal) in
            try keepsOthers ? after.upsert(categories) : after.replace(with: categories)
        }
        // Let the set become smaller in a full store, or at the caller's limit.
        let growth = after.byteCount - before.byteCount
        guard batch.hasRoomForAdds || growth <= 0 else { return .done(.failure(.storeFull)) }
        let tooMuch =
            if let known {
                try known.storeBytesRefusal(of: growth)
            } else {
                try batch.refusal(ofKeeping: growth)
            }
        if let tooMuch { return .done(.failure(tooMuch)) }
        let room = try batch.register(center, by: registrant)
        let isChanged = try CenterCategories(center: room).write(from: before, to: after)
        if isChanged { batch.tell(.app(center), on: center.device) }
        return .done(.success(warnings))
    }
}

struct RemoveCategoriesCommand: CenterCommand {
    let center: CenterName
    let identifiers: [String]

    var cost: Int { max(1, identifiers.count) }

    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<[String]> {
        let room = try batch.registered(center)
        var removed: [String] = []
        let stored = CenterCategories(center: room)
        var totals = room.state.categories
        for identifier in identifiers {
            let category = try batch.transaction.category(identifier, of: room.number, batch.tables)
            guard let category else { continue }
            try stored.delete(category, from: &totals)
            removed.append(identifier)
        }
        if !removed.isEmpty {
            room.state.categories = totals
            batch.tell(.app(center), on: center.device)
        }
        return .done(.success(removed))
    }
}

/// The categories of a center, and the meanings of their actions.
private struct CenterCategories: CenterPart {
    let center: CenterWork
    private var number: CenterNumber { center.number }

    func all() throws(StoreFailure) -> CategorySet {
        try batch.transaction.categories(of: number, batch.tables)
    }

    /// The categories that new ones replace, and of the others those that the warnings name: their
    /// action with the same identifier means something else.
    ///
    /// - Complexity: O(log *n*) in the center's categories for each new one and its actions, and
    ///   O(*m*) in the replaced ones that have an action of one.
    func part(
        besideNew added: [NotificationCategory]
    ) throws(StoreFailure) -> CategorySet {
        // Bounded: identifiers of categories, which were cut or are compared by their bytes.
        var read: [ExactText: NotificationCategory] = [:]
        for category in added {
            let identifier = category.identifier
            let old = try batch.transaction.category(identifier, of: number, batch.tables)
            read[ExactText(identifier)] = old
        }
        let replaced = Set(added.map { ExactText($0.identifier) })
        // Bounded: identifiers of actions, which were cut or are compared by their bytes. Each is
        // looked up once: many categories may have the same actions.
        var staying: [ExactText: StayingAction?] = [:]
        var warned = 0
        for action in added.lazy.flatMap(\.comparedActions) where warned < Limits.categoryWarnings {
            let identifier = ExactText(action.identifier)
            if staying[identifier] == nil {
                staying[identifier] = .some(try self.staying(action, besides: replaced))
            }
            guard let found = staying[identifier] ?? nil,
                found.meaning != ActionMeaningRow(action)
            else { continue }
            let other = found.category
            warned += 1
            if read[ExactText(other)] == nil {
                let category = try batch.transaction.category(other, of: number, batch.tables)
                read[ExactText(other)] = category
            }
        }
        return CategorySet(part: Array(read.values), of: center.state.categories)
    }

    /// An action of a category that stays.
    private struct StayingAction {
        let category: String
        let meaning: ActionMeaningRow
    }

    /// The first staying category with an action of the same identifier, and the meaning of the
    /// action there.
    private func staying(
        _ action: NotificationAction,
        besides replaced: Set<ExactText>
    ) throws(StoreFailure) -> StayingAction? {
        var found: StayingAction?
        let prefix = KeyPrefix.action(action.identifier, of: number)
        try batch.transaction.scan(batch.tables.actionMeanings, prefix) { key, row in
            if replaced.contains(ExactText(key.category)) { return true }
            found = StayingAction(category: key.category, meaning: row)
            return false
        }
        return found
    }

    /// Writes the rows of the categories that differ between two sets of a center.
    ///
    /// - Returns: Whether any row differed.
    func write(
        from before: CategorySet,
        to after: CategorySet
    ) throws(StoreFailure) -> Bool {
        var totals = center.state.categories
        var isChanged = false
        for category in before.categories where after[category.identifier] == nil {
            try delete(category, from: &totals)
            isChanged = true
        }
        for category in after.categories {
            // Compared as bytes: texts that only look alike are equal in Swift, but differ.
            let row = CategoryRecord(category)
            let old = before[category.identifier]
            guard old.map({ CategoryRecord($0).bytes }) != row.bytes else { continue }
            if let old { try delete(old, from: &totals) }
            let key = IdentifierKey(category.identifier, of: number)
            try batch.transaction.put(row, at: key, in: batch.tables.categories)
            totals.count += 1
            totals.byteCount += category.byteCount
            for action in category.comparedActions.prefix(
                max(0, Limits.comparedActions - totals.comparedActions)
            ) {
                let key = ActionMeaningKey(action.identifier, in: category.identifier, of: number)
                let meaning = ActionMeaningRow(action)
                try batch.transaction.put(meaning, at: key, in: batch.tables.actionMeanings)
                totals.comparedActions += 1
            }
            isChanged = true
        }
        guard isChanged else { return false }
        batch.hasChanged = true
        center.state.categories = totals
        return true
    }

    /// Deletes a category, and the meanings of its actions.
    func delete(
        _ category: NotificationCategory,
        from totals: inout CategoryTotals
    ) throws(StoreFailure) {
        let key = IdentifierKey(category.identifier, of: number)
        try batch.transaction.deleteExisting(key, in: batch.tables.categories)
        totals.count -= 1
        totals.byteCount -= category.byteCount
        guard totals.comparedActions > 0 else { return }
        for action in category.comparedActions {
            let key = ActionMeaningKey(action.identifier, in: category.identifier, of: number)
            if try batch.transaction.delete(key, in: batch.tables.actionMeanings) {
                totals.comparedActions -= 1
            }
        }
    }
}

extension NotificationCategory {
    /// The actions that are compared with those of further categories (K-3): only these are ever
    /// shown.
    var comparedActions: ArraySlice<NotificationAction> { actions.prefix(Self.roomyActionCount) }
}
