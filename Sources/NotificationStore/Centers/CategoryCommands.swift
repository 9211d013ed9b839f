internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

extension Store {
    /// Replaces all categories of a center, registering the app where it is new (§5).
    ///
    /// - Parameters:
    ///   - categories: The new set, in any order; empty leaves none.
    ///   - center: The center.
    ///   - registrant: For whom a new app counts; nil for a caller without a limit.
    ///   - key: Makes a retry act once.
    ///   - completion: Told the warnings, once the categories are durable, or the refusal of
    ///     ``CategorySet/replace(with:)``, which changes nothing.
    package func setCategories(
        _ categories: [NotificationCategory],
        of center: CenterName,
        by registrant: Registrant? = nil,
        once key: OnceKey? = nil,
        completion: @escaping Completion<[CategoryWarning]>
    ) {
        submit(
            SetCategoriesCommand(
                center: center,
                categories: categories,
                keepsOthers: false,
                registrant: registrant,
                mayRegister: registersNewApps
            ),
            once: key,
            completion
        )
    }

    /// Adds categories; each replaces the category with the same identifier (K-9).
    ///
    /// - Parameters:
    ///   - categories: The categories to add; an empty list changes nothing.
    ///   - center: The center.
    ///   - key: Makes a retry act once.
    ///   - completion: Told the warnings, once the categories are durable, or the refusal of
    ///     ``CategorySet/upsert(_:)``, which changes nothing.
    package func upsertCategories(
        _ categories: [NotificationCategory],
        of center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<[CategoryWarning]>
    ) {
        submit(
            SetCategoriesCommand(
                center: center,
                categories: categories,
                keepsOthers: true,
                registrant: nil,
                mayRegister: false
            ),
            once: key,
            completion
        )
    }

    /// Removes categories by identifier; unknown identifiers are ignored, and an empty list removes
    /// nothing.
    ///
    /// - Parameters:
    ///   - identifiers: The identifiers of the categories.
    ///   - center: The center.
    ///   - key: Makes a retry act once.
    ///   - completion: Told the identifiers of the removed categories, in the requested order, once
    ///     the removal is durable.
    package func removeCategories(
        _ identifiers: [String],
        from center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<[String]>
    ) {
        submit(
            RemoveCategoriesCommand(center: center, identifiers: identifiers),
            once: key,
            completion
        )
    }

    /// Reads all categories of a center; `completion` runs on a reader thread.
    ///
    /// - Parameters:
    ///   - center: The center.
    ///   - caller: The caller that waits for the categories.
    ///   - completion: Told the categories in the order of their identifiers' bytes.
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
        do {
            // Read in one transaction, so that a change cannot come between two parts of the set.
            return try environment.reading { transaction throws(StoreFailure) in
                guard let number = try transaction.rowIfAny(center, in: tables.centerNumbers) else {
                    return Result<[NotificationCategory], Refusal>.failure(.notRegistered(center))
                }
                return .success(try transaction.categories(of: number, tables).categories)
            }.get()
        } catch {
            throw damage.refusal(for: error)
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

    var cost: Int { max(1, categories.count) }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<[CategoryWarning]> {
        let known = try batch.number(of: center)
        guard known != nil || mayRegister else { return .done(.failure(.notRegistered(center))) }
        var before = CategorySet()
        if let known { before = try batch.transaction.categories(of: known, batch.tables) }
        var after = before
        let warnings: [CategoryWarning]
        do {
            warnings = try keepsOthers ? after.upsert(categories) : after.replace(with: categories)
        } catch {
            return .done(.failure(error))
        }
        // In a full store only changes that do not make the set larger are allowed.
        guard batch.hasRoomForAdds || after.byteCount <= before.byteCount else {
            return .done(.failure(.storeFull))
        }
        let isChanged: Bool
        switch try batch.register(center, by: registrant) {
        case .success(let center): isChanged = try center.writeCategories(from: before, to: after)
        case .failure(let refusal): return .done(.failure(refusal))
        }
        if isChanged { batch.tell(.app(center), on: center.device) }
        return .done(.success(warnings))
    }
}

struct RemoveCategoriesCommand: CenterCommand {
    let center: CenterName
    let identifiers: [String]

    var cost: Int { max(1, identifiers.count) }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<[String]> {
        guard let number = try batch.number(of: center) else {
            return .done(.failure(.notRegistered(center)))
        }
        var removed: [String] = []
        for identifier in identifiers {
            guard (1...Limits.categoryIdentifierBytes).contains(identifier.utf8.count) else {
                continue
            }
            let key = IdentifierKey(identifier, of: number)
            guard try batch.transaction.delete(key, in: batch.tables.categories) else { continue }
            removed.append(identifier)
        }
        if !removed.isEmpty {
            batch.hasChanged = true
            batch.tell(.app(center), on: center.device)
        }
        return .done(.success(removed))
    }
}

extension CenterWork {
    /// Writes the rows of the categories that differ between two sets of a center.
    ///
    /// - Returns: Whether any row differed.
    fileprivate func writeCategories(
        from before: CategorySet,
        to after: CategorySet
    ) throws(StoreFailure) -> Bool {
        var isChanged = false
        for category in before.categories where after[category.identifier] == nil {
            let key = IdentifierKey(category.identifier, of: number)
            try batch.transaction.deleteExisting(key, in: batch.tables.categories)
            isChanged = true
        }
        for category in after.categories {
            // Compared as bytes: texts that only look alike are equal in Swift, but differ.
            let row = CategoryRecord(category)
            let stored = before[category.identifier].map { CategoryRecord($0).bytes }
            guard stored != row.bytes else { continue }
            let key = IdentifierKey(category.identifier, of: number)
            try batch.transaction.put(row, at: key, in: batch.tables.categories)
            isChanged = true
        }
        if isChanged { batch.hasChanged = true }
        return isChanged
    }
}
