internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

/// The localized texts of one app in the languages of one device; each key is looked up once.
///
/// Used by one thread.
final class AppStrings {
    private let app: String
    /// The person's languages, and the app's own.
    private let languages: [String]
    private let development: String
    /// The tables of the app in these languages; nil until the first lookup.
    private var found: [(language: String, row: StringTableKey)]?
    private var known: Set<[UInt8]> = []

    /// The texts that were found so far.
    private(set) var strings = LocalizedStrings()

    /// Makes an empty set of texts; `development` is the app's own language.
    init(app: String, on device: DeviceState, development: String) {
        self.app = app
        languages = device.languages
        self.development = development
    }

    /// Looks up the keys that were not looked up before (L10N-4).
    ///
    /// - Complexity: O(*m* log *n*) for *m* keys and a table of *n* texts, in each language until
    ///   one has the key; nothing where there are no keys.
    func lookUp(
        _ keys: [String],
        _ tables: Tables,
        in transaction: borrowing ReadTransaction
    ) throws(StoreFailure) {
        for key in keys {
            let bytes = Array(key.utf8)
            guard known.insert(bytes).inserted else { continue }
            for (language, row) in try rows(tables, in: transaction) {
                let string = try transaction.string(bytes, at: row, in: tables.stringTables)
                guard let string else { continue }
                strings[key] = FoundString(string, language: language)
                break
            }
        }
    }

    private func rows(
        _ tables: Tables,
        in transaction: borrowing ReadTransaction
    ) throws(StoreFailure) -> [(language: String, row: StringTableKey)] {
        if let found { return found }
        var rows: [(language: String, row: StringTableKey)] = []
        for language in LanguageTag.chain(of: languages, development: development) {
            let row = StringTableKey(app: app, language: language)
            guard try transaction.contains(row, in: tables.stringTables) else { continue }
            rows.append((language, row))
        }
        found = rows
        return rows
    }
}
