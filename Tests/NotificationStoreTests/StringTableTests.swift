internal import BelfryLMDB
internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("String tables in the store (L10N-4, L10N-5, D-10)", .timeLimit(.minutes(2)))
struct StringTableTests {
    private let test: TestStore

    init() throws { test = try TestStore() }

    @discardableResult
    private func set(
        _ language: String,
        _ strings: [ExactText: LocalizedString],
        of app: String? = nil,
        once key: OnceKey? = nil
    ) async throws -> UInt64 {
        let table = StringTable(
            app: app ?? test.center.app,
            language: language,
            strings: strings
        )
        try table.validate()
        return try await test.result { $0.setStringTable(table, once: key, completion: $1) }.get()
    }

    private func texts(_ strings: [String: String]) -> [ExactText: LocalizedString] {
        Dictionary(uniqueKeysWithValues: strings.map { (ExactText($0), .text($1)) })
    }

    /// Delivers a notification whose title is to be looked up.
    private func deliver(
        _ key: String,
        _ arguments: [String] = [],
        plain: String = "",
        to center: CenterName? = nil
    ) async throws {
        try await test.add(
            .titled(key) {
                $0.title = plain
                $0.localizedTitle = LocalizedText(key: key, arguments: arguments)
            },
            to: center
        )
    }

    private func speak(_ languages: String...) async throws {
        try await test.updateDevice { $0.languages = languages }
    }

    private func page(_ app: String? = nil) async throws -> DeviceListPage {
        var query = DeviceListQuery(device: CenterName.localDevice)
        query.apps = [app ?? test.center.app]
        query.pageSize = 1_000
        return try await test.shown(query)
    }

    /// The titles that show, newest first.
    private func titles(_ app: String? = nil) async throws -> [String] {
        try await page(app).groups.flatMap(\.notifications).map(\.rendered.title)
    }

    private func register(_ change: (inout AppRegistration) -> Void) async throws {
        var registration = AppRegistration()
        change(&registration)
        _ = try await test.result { [registration] in
            $0.registerApp(test.center, with: registration, completion: $1)
        }.get()
    }

    @Test("D-10: The device's languages in order, then the app's own, the plain text, the key")
    func chain() async throws {
        try await register { $0.language = "de-AT" }
        try await test.authorize()
        try await set("pt", texts(["a": "a in pt", "b": "b in pt"]))
        try await set("PT-br", texts(["a": "a in pt-BR"]))
        try await set("fr", texts(["c": "c in fr, %@"]))
        try await set("de", texts(["c": "c in de", "d": "d in de"]))
        // No app has English here.
        try await set("en", texts(["e": "e in en", "f": "f in en"]))
        for key in ["a", "b", "c", "d"] { try await deliver(key, ["!"]) }
        try await deliver("e", plain: "plain e")
        try await deliver("f")
        try await speak("pt-BR", "fr-CA")
        let shown = ["a in pt-BR", "b in pt", "c in fr, !", "d in de", "plain e", "f"]
        #expect(try await titles() == shown.reversed())
        try await speak("fr")
        let french = ["a", "b", "c in fr, !", "d in de", "plain e", "f"]
        #expect(try await titles() == french.reversed())
        try await speak()
        let own = ["a", "b", "c in de", "d in de", "plain e", "f"]
        #expect(try await titles() == own.reversed())
    }

    @Test("L10N-5: What is delivered follows the tables, and the app has it as it was added")
    func whenItIsShown() async throws {
        try await test.authorize()
        try await deliver("hello", ["Ann"], plain: "Hello")
        #expect(try await titles() == ["Hello"])
        #expect(try await set("en", texts(["hello": "Hi, %@"])) == 1)
        #expect(try await titles() == ["Hi, Ann"])
        // A table replaces the one before as a whole.
        #expect(try await set("EN", texts(["bye": "Bye", "x": ""])) == 2)
        #expect(try await titles() == ["Hello"])
        #expect(try await set("en", texts(["hello": "Hey, %@"])) == 1)
        #expect(try await titles() == ["Hey, Ann"])
        #expect(try await set("en", [:]) == 0)
        #expect(try await set("en", [:]) == 0)
        #expect(try await titles() == ["Hello"])
        let content = try #require(try await test.delivered().first?.request.content)
        #expect(content.localizedTitle == LocalizedText(key: "hello", arguments: ["Ann"]))
        #expect(content.title == "Hello")
    }

    @Test("A table is its app's alone, on every device, whether the app is there or not")
    func scope() async throws {
        let tablet = try CenterName(app: test.center.app, device: "tablet")
        let other = CenterName.local(test.center.app + "x")
        try await set("en", texts(["k": "text"]))
        for center in [test.center, other, tablet] {
            try await test.authorize(for: center)
            try await deliver("k", to: center)
        }
        #expect(try await titles() == ["text"])
        #expect(try await titles(other.app) == ["k"])
        let page = try await test.shown(DeviceListQuery(device: "tablet"))
        #expect(page.groups.first?.notifications.first?.rendered.title == "text")
        _ = try await test.result { $0.unregisterApp(test.center, completion: $1) }.get()
        try await test.authorize()
        try await deliver("k")
        #expect(try await titles() == ["text"])
    }

    @Test("LK-1, SUM-6: Placeholder and summary are in the form of their number")
    func plurals() async throws {
        try await test.authorize()
        let category = NotificationCategory(
            identifier: "c",
            actions: [
                NotificationAction(
                    identifier: "a",
                    title: "Read",
                    localizedTitle: LocalizedText(key: "read")
                )
            ],
            localizedHiddenPreviewsBodyPlaceholder: LocalizedText(key: "messages"),
            localizedSummaryFormat: LocalizedText(key: "more")
        )
        _ = try await test.result {
            $0.setCategories([category], of: test.center, completion: $1)
        }.get()
        let messages = PluralForms(one: "%u zpráva", few: "%u zprávy", other: "%u zpráv")
        let more = PluralForms(one: "ještě %u", few: "ještě %u!", other: "ještě %u?")
        let strings: [ExactText: LocalizedString] = [
            "messages": .plural(messages), "more": .plural(more), "read": .text("Přečteno"),
        ]
        try await set("cs", strings)
        try await speak("cs-CZ")
        var settings = SettingsChange()
        settings.showPreviews = .never
        for (count, body, summary) in [
            (1, "1 zpráva", nil), (2, "2 zprávy", "ještě 1"), (3, "3 zprávy", "ještě 2!"),
            (4, "4 zprávy", "ještě 3!"), (5, "5 zpráv", "ještě 4!"), (6, "6 zpráv", "ještě 5?"),
        ] as [(Int, String, String?)] {
            try await test.add(.titled("\(count)") { $0.categoryIdentifier = "c" })
            #expect(try await page().groups.first?.summary == summary)
            settings.showPreviews = .never
            try await choose(settings)
            let group = try #require(try await page().groups.first)
            #expect(group.notifications.first?.rendered.body == body)
            #expect(group.notifications.first?.rendered.actions.first?.action.title == "Přečteno")
            settings.showPreviews = .always
            try await choose(settings)
        }
        let kept = await test.result { $0.listCategories(of: test.center, completion: $1) }
        #expect(try kept.get() == [category])
    }

    private func choose(_ settings: SettingsChange) async throws {
        _ = try await test.result {
            $0.updateSettings(settings, of: test.center, completion: $1)
        }.get()
    }

    @Test("Tables outlive a crash, and are in a backup")
    func kept() async throws {
        try await test.authorize()
        try await deliver("k")
        try await set("en", texts(["k": "text"]))
        try test.crash()
        #expect(try await titles() == ["text"])
        let backup = try await test.backup()
        try await set("en", [:])
        test.close()
        let target = try ScratchDirectory()
        _ = try StoreRestore.restore(
            backup.path,
            to: target.path,
            replacing: false,
            onProblem: { Issue.record("\($0)") }
        )
        let rows = try StoreFile.read(file: target.path + "/data.mdb") { file in
            try file.rows(of: .stringTables)
        }
        #expect(Array(rows.keys) == [StringTableKey(app: test.center.app, language: "en").bytes])
        #expect(try StoreAudit.problems(in: target.path) == [])
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A retry is told the first reply and changes nothing")
    func retry() async throws {
        try await test.authorize()
        try await deliver("k")
        let text = "019b76da-a800-7000-8000-000000000001"
        let key = try OnceKey(text, method: "SetStringTable", request: [])
        #expect(try await set("en", texts(["k": "first", "l": ""]), once: key) == 2)
        #expect(try await set("en", texts(["k": "second"])) == 1)
        #expect(try await set("en", texts(["k": "first", "l": ""]), once: key) == 2)
        #expect(try await titles() == ["second"])
    }

    @Test("A full store refuses a table that needs room, and takes one that makes some")
    func full() async throws {
        let test = try TestStore { $0.environment.mapSize = 1 << 22 }
        func set(_ size: Int, _ language: String) async -> Result<UInt64, Refusal> {
            let text = String(repeating: "x", count: size)
            let table = StringTable(
                app: "a",
                language: language,
                strings: ["k": .text(text)]
            )
            return await test.result { $0.setStringTable(table, completion: $1) }
        }
        var languages = ["la", "lb", "lc", "ld", "le", "lf", "lg", "lh", "li", "lj", "lk", "ll"]
        var refusal: Refusal?
        while refusal == nil, let language = languages.popLast() {
            do { _ = try await set(500_000, language).get() } catch { refusal = error }
        }
        #expect(refusal?.reason == .storeFull)
        #expect(try await set(10, "ll").get() == 1)
        #expect(test.failure == nil)
    }

    @Test("A text is found among 10,000, and a list of 1,000 has each of its own")
    func many() async throws {
        try await test.authorize()
        let numbers = 0..<10_000
        let strings = Dictionary(
            uniqueKeysWithValues: numbers.map {
                (ExactText("key \($0)"), LocalizedString.text("text \($0), %@"))
            }
        )
        #expect(try await set("en", strings) == 10_000)
        let shown = numbers.filter { $0 % 10 == 3 }
        try await test.addAll(
            shown.map { number in
                try .titled("\(number)") {
                    $0.title = ""
                    $0.localizedTitle = LocalizedText(key: "key \(number)", arguments: ["!"])
                }
            }
        )
        let titles = try await titles()
        #expect(titles == shown.map { "text \($0), !" }.reversed())
    }

    /// Looks keys up in the mapped bytes of a record.
    private func strings(
        _ keys: [[UInt8]],
        in record: [UInt8],
        _ environment: Environment
    ) throws -> [LocalizedString?] {
        let table = try environment.table("records")
        let typed = TypedTable<StringTableKey, StringTableRecord>(table, .stringTables)
        let place = StringTableKey(app: "a", language: "en")
        try environment.writing { transaction throws(StoreFailure) in
            try transaction.put(bytes: record, at: place.bytes, in: typed.raw)
        }
        return try environment.reading { transaction throws(StoreFailure) in
            var found: [LocalizedString?] = []
            for key in keys { found.append(try transaction.string(key, at: place, in: typed)) }
            return found
        }
    }

    @Test("Each key is found in the mapped bytes, and none that is not there")
    func mapped() throws {
        let environment = try Environment(directory: try ScratchDirectory().path)
        let generator = SeededGenerator()
        var random = RandomRecords(generator: generator)
        for _ in 0..<50 {
            let table = random.strings()
            let record = StringTableRecord(table).bytes
            let keys = table.keys.map { Array($0.text.utf8) }
            let found = try strings(keys, in: record, environment)
            #expect(found == table.keys.map { table[$0] }, "SEED=\(generator.seed)")
            let others = [keys.map { $0 + [0] }, keys.map { $0.dropLast() }, [[0xFF], []]]
                .joined().filter { !keys.contains($0) }
            let none = try strings(others, in: record, environment)
            #expect(none.allSatisfy { $0 == nil }, "SEED=\(generator.seed)")
        }
    }

    @Test("Whatever bytes a record has, looking in it is an answer or an error, and never a crash")
    func damaged() async {
        let seed = SeededGenerator().seed
        await #expect(processExitsWith: .success) { [seed = seed as UInt64] in
            var random = RandomRecords(generator: SeededGenerator(seed: seed))
            print("SEED=\(seed)")
            let test = try StringTableTests()
            let environment = try Environment(directory: try ScratchDirectory().path)
            for _ in 0..<300 {
                let table = random.strings()
                var bytes = StringTableRecord(table).bytes
                for _ in 0..<Int.random(in: 1...4, using: &random.generator) {
                    let end = random.choice([bytes.count, min(bytes.count, 40)])
                    let index = Int.random(in: 0..<end, using: &random.generator)
                    bytes[index] = random.choice([0, 1, 0x7F, 0x80, 0xFF, random.number()])
                }
                let record = random.choice([bytes, Array(bytes.dropLast())])
                let keys = table.keys.map { Array($0.text.utf8) }
                _ = try? test.strings(keys, in: record, environment)
            }
        }
    }

    @Test("A page counts what its texts come to")
    func bytes() async throws {
        try await test.authorize()
        try test.reopen { $0.limits.bytesPerPage = 1_000 }
        try await set("en", texts(["k": String(repeating: "x", count: 600)]))
        for identifier in ["a", "b", "c"] {
            try await test.add(
                .titled(identifier) {
                    $0.title = ""
                    $0.localizedTitle = LocalizedText(key: "k")
                }
            )
        }
        let page = try await page()
        #expect(page.groups.first?.notifications.count == 2)
        #expect(page.nextToken != nil)
    }
}
