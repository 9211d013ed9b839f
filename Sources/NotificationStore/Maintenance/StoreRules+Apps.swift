internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// The rules on apps: registrations, prompts, categories and string tables.

extension StoreRules {
    /// A category belongs to a center that exists, and the center's categories are within their
    /// limits.
    mutating func checkCategory(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.categories.key(key)
        let center = name.center
        try checkCenterExists(center)
        let category = try tables.categories.row(value, at: key).category(name.identifier)
        do throws(Refusal) {
            try category.validate()
        } catch {
            found.append("is none that can be set")
        }
        var tally = tallies[center] ?? Tally()
        tally.categories.count += 1
        tally.categories.byteCount &+= category.byteCount
        // Report once, at the first category beyond the limit.
        if tally.categories.count == Limits.categoriesPerCenter + 1 {
            found.append("is one more than a center may have")
        }
        if tally.categories.byteCount > Limits.categorySetBytes,
            tally.categories.byteCount - category.byteCount <= Limits.categorySetBytes
        {
            found.append("is more text than a center's categories may have")
        }
        tallies[center] = tally
    }

    /// The meaning of an action is that of an action of a category that exists.
    mutating func checkActionMeaning(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let meaning = try tables.actionMeanings.key(key)
        let row = try tables.actionMeanings.row(value, at: key)
        tallies[meaning.center, default: Tally()].categories.comparedActions += 1
        let category = IdentifierKey(meaning.category, of: meaning.center)
        switch try transaction.found(category, in: tables.categories) {
        case .missing: found.append("is of a category that is not there")
        case .damaged: break
        case .row(let record):
            let isMeant = record.category(meaning.category).actions.contains { action in
                ActionMeaningKey(action.identifier, in: meaning.category, of: meaning.center)
                    .bytes == key && ActionMeaningRow(action) == row
            }
            if !isMeant { found.append("is no action's of the category") }
        }
    }

    /// A string table has an app and a language, and is valid.
    mutating func checkStringTable(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        guard var table = StringTable(key: key) else {
            throw tables.stringTables.error(.undecodable, key)
        }
        let strings = try StoreFailure.ofRow { () throws(RowProblem) in
            try StringTableRecord.strings(value)
        }
        for (key, string) in strings {
            table.strings[ExactText(String(decoding: key, as: UTF8.self))] = string
        }
        let isCanonical = table.language == LanguageTag.canonical(table.language)
        if !isCanonical || table.strings.isEmpty || (try? table.validate()) == nil {
            found.append("is none that can be set")
        }
    }

    /// An app belongs to a center that exists, and the prompts in its list of ended prompts have
    /// ended.
    mutating func checkApp(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let number = try tables.apps.key(key)
        try checkCenterExists(number)
        let app = try tables.apps.row(value, at: key)
        try count(app.registrant) { $0.apps += 1 }
        try checkUse(of: app.registration.icon, center: number)
        for prompt in app.endedPrompts {
            switch try transaction.found(prompt, in: tables.prompts) {
            case .missing: found.append("its ended prompt \(prompt) is gone")
            case .damaged: break
            case .row(let record):
                if record.isOpen || record.center != number {
                    found.append("its ended prompt \(prompt) is open, or another app's")
                }
            }
        }
    }

    /// Counts a row for its caller, who has a row of these counts; an empty name is nobody.
    mutating func count(
        _ registrant: String,
        _ change: (inout RegistrantRecord) -> Void
    ) throws(StoreFailure) {
        guard !registrant.isEmpty else { return }
        change(&registrants[registrant, default: RegistrantRecord()])
        if try !transaction.contains(NameKey(registrant), in: tables.registrants) {
            found.append("its caller has no row of its counts")
        }
    }

    /// An app or a device has rows of as many bytes as its account says.
    mutating func checkAccount(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let owner = try tables.accounts.key(key)
        let account = try tables.accounts.row(value, at: key)
        let isCounted = account.byteCount == accounts[owner]?.byteCount ?? 0
        if !isCounted, !uncertainAccounts.contains(owner) {
            found.append("does not say what its rows take")
        }
        guard !account.registrant.isEmpty else { return }
        accounts[owner]?.registrant = account.registrant
        try count(account.registrant) { $0.storeBytes &+= account.byteCount }
    }

    /// A caller has registered as many apps, and stored as many bytes, as its row says.
    mutating func checkRegistrant(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let count = try tables.registrants.row(value, at: key)
        let name = String(decoding: key, as: UTF8.self)
        // Take the floor from the row: no other row says which keys were forgotten.
        if registrants[name] != nil || count.keyFloorMilliseconds != 0 {
            registrants[name, default: RegistrantRecord()].keyFloorMilliseconds =
                count.keyFloorMilliseconds
        }
        if count != registrants[name] {
            found.append("does not say what its caller registered and stored")
        }
    }

    /// A prompt is found through its center while it is open, and through its app afterwards.
    mutating func checkPrompt(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let number = try tables.prompts.key(key)
        checkIsGiven(number)
        let prompt = try tables.prompts.row(value, at: key)
        try checkCenterExists(prompt.center)
        if prompt.isOpen {
            let found = try transaction.found(prompt.center, in: tables.centers)
            guard let center = found.row?.center else { return }
            if center.openPrompt != number {
                self.found.append("is open, and its app asks nothing so")
            }
            if !prompt.prompt.isOpen(for: center.settings.authorizationStatus) {
                self.found.append("is open, and the person has decided")
            }
        } else {
            guard let app = try transaction.found(prompt.center, in: tables.apps).row else {
                return
            }
            if !app.endedPrompts.contains(number) {
                found.append("has ended, and is kept for nothing")
            }
        }
    }

    /// A center in the table `leaving` still exists.
    mutating func checkLeaving(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        requireEmpty(value)
        try checkCenterExists(try tables.leaving.key(key))
    }
}

extension StringTable {
    /// The string table of a key, without its texts; nil where the key has another layout.
    init?(key: [UInt8]) {
        let parts = key.split(separator: 0, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let names = parts.map { String(decoding: $0, as: UTF8.self) }
        self.init(app: names[0], language: names[1])
    }
}
