internal import BelfryLMDB
internal import NotificationCore

// The rules on apps: registrations, prompts, categories and string tables.

extension StoreRules {
    /// A category belongs to a center that exists, and the center's categories are within their
    /// limits.
    mutating func checkCategory(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        guard key.count > 4 else { throw ByteReader.corrupted }
        let center = UInt32(try Self.numbers(Array(key.prefix(4)), 4)[0])
        try checkCenterExists(center, transaction)
        let category = try CategoryRecord.category(Key.identifier(in: key), value)
        do throws(Refusal) {
            try category.validate()
        } catch {
            found.append("is none that can be set")
        }
        var tally = tallies[center] ?? Tally()
        tally.categories += 1
        tally.categoryBytes &+= category.byteCount
        // Reported once, at the first category beyond the limit.
        if tally.categories == Limits.categoriesPerCenter + 1 {
            found.append("is one more than a center may have")
        }
        if tally.categoryBytes > Limits.categorySetBytes,
            tally.categoryBytes - category.byteCount <= Limits.categorySetBytes
        {
            found.append("is more text than a center's categories may have")
        }
        tallies[center] = tally
    }

    /// A string table has an app and a language, and is valid.
    mutating func checkStringTable(_ key: [UInt8], _ value: [UInt8]) throws(LMDBError) {
        guard var table = StringTable(key: key) else { throw ByteReader.corrupted }
        for (key, string) in try StringTableRecord.strings(value) {
            table.strings[ExactText(String(decoding: key, as: UTF8.self))] = string
        }
        let isCanonical = table.language == LanguageTag.canonical(table.language)
        if !isCanonical || table.strings.isEmpty || (try? table.validate()) == nil {
            found.append("is none that can be set")
        }
    }

    /// An app belongs to a center that exists, and the prompts in its list of ended prompts have
    /// ended.
    mutating func checkApp(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let number = UInt32(try Self.numbers(key, 4)[0])
        try checkCenterExists(number, transaction)
        let app = try AppRecord(value)
        try attachments.checkUse(
            of: app.registration.icon,
            center: number,
            transaction,
            noting: &found
        )
        for prompt in app.endedPrompts {
            let row = Key.number(prompt)
            guard let bytes = try transaction.value(forKey: row, in: tables.prompts) else {
                found.append("its ended prompt \(prompt) is gone")
                continue
            }
            // A prompt that does not decode is reported where the prompts are walked.
            guard let record = try? PromptRecord(bytes) else { continue }
            if record.isOpen || record.center != number {
                found.append("its ended prompt \(prompt) is open, or another app's")
            }
        }
    }

    /// A prompt is found through its center while it is open, and through its app afterwards.
    mutating func checkPrompt(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        let number = try Self.numbers(key, 8)[0]
        if number >= state.nextSequence { found.append("its number is still to be given") }
        let prompt = try PromptRecord(value)
        try checkCenterExists(prompt.center, transaction)
        let row = Key.number(prompt.center)
        if prompt.isOpen {
            // A center or an app that does not decode is reported where its table is walked.
            let bytes = try transaction.value(forKey: row, in: tables.centers)
            guard let center = bytes.flatMap({ try? CenterRecord.center($0) }) else { return }
            if center.openPrompt != number { found.append("is open, and its app asks nothing so") }
            if !prompt.prompt.isOpen(for: center.settings.authorizationStatus) {
                found.append("is open, and the person has decided")
            }
        } else {
            let bytes = try transaction.value(forKey: row, in: tables.apps)
            guard let app = bytes.flatMap({ try? AppRecord($0) }) else { return }
            if !app.endedPrompts.contains(number) {
                found.append("has ended, and is kept for nothing")
            }
        }
    }

    /// A center in the table `leaving` still exists.
    mutating func checkLeaving(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        if !value.isEmpty { found.append("has a value") }
        try checkCenterExists(UInt32(try Self.numbers(key, 4)[0]), transaction)
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
