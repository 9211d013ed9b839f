internal import NotificationCore
internal import TestSupport

@testable internal import NotificationRecords
@testable internal import NotificationStore

extension CheckTests {
    private static let one = CenterNumber(rawValue: 1).bytes
    private static let nine = CenterNumber(rawValue: 9).bytes

    private static func prompt(of center: CenterNumber, isOpen: Bool) -> [UInt8] {
        var record = PromptRecord(
            center: center,
            prompt: AuthorizationPrompt(kind: .initial, options: .alert),
            openedAt: .newYear
        )
        record.isOpen = isOpen
        return record.bytes
    }

    private static func app(endedPrompts: [PromptNumber]) -> [UInt8] {
        var record = AppRecord(registeredAt: .newYear)
        record.endedPrompts = endedPrompts
        return record.bytes
    }

    private static func app(of registrant: String) -> [UInt8] {
        var record = AppRecord(registeredAt: .newYear)
        record.registrant = registrant
        return record.bytes
    }

    private static func count(_ apps: Int) -> [UInt8] {
        var record = RegistrantRecord()
        record.apps = apps
        return record.bytes
    }

    static let appDamages = [
        Damage("an app of garbage", ["apps center 1: does not decode"]) { file in
            try file.put([9], forKey: one, in: .apps)
        },
        Damage("no app, as a repair may leave it, which is no damage", []) { file in
            try file.delete(one, in: .apps)
        },
        Damage(
            "an app of a center that is not there",
            ["apps center 9: is of center 9, which is not there"]
        ) { file in try file.put(app(endedPrompts: []), forKey: nine, in: .apps) },
        Damage(
            "an app whose prompt is gone",
            ["apps center 1: its ended prompt 2 is gone"]
        ) { file in try file.put(app(endedPrompts: [2]), forKey: one, in: .apps) },
        Damage(
            "an app whose caller has no row",
            [
                "apps center 1: its caller has no row of its counts",
                "centers center 1: counts 0 bytes for its caller of 913",
            ]
        ) { file in try file.put(app(of: "user 7"), forKey: one, in: .apps) },
        Damage(
            "a caller that registered another number of apps",
            [
                "centers center 1: counts 0 bytes for its caller of 913",
                "registrants user 7: does not say what its caller registered and stored",
            ]
        ) { file in
            try file.put(app(of: "user 7"), forKey: one, in: .apps)
            try file.put(count(2), forKey: Array("user 7".utf8), in: .registrants)
        },
        Damage(
            "a center that counts other bytes of pending requests",
            ["centers center 1: counts 259 bytes of pending requests of 258"]
        ) { file in
            var (number, center) = try file.center(.local("org.example.app"))
            center.pendingBytes = 259
            try file.set(center, number: number)
        },
        Damage(
            "a center that counts for nobody",
            ["centers center 1: counts 7 bytes for its caller of 0"]
        ) { file in
            var (number, center) = try file.center(.local("org.example.app"))
            center.countedBytes = 7
            try file.set(center, number: number)
        },
        Damage(
            "a caller whose apps take other bytes",
            ["registrants user 7: does not say what its caller registered and stored"]
        ) { file in
            try file.put(app(of: "user 7"), forKey: one, in: .apps)
            var (number, center) = try file.center(.local("org.example.app"))
            center.countedBytes = center.storeBytes
            try file.set(center, number: number)
            try file.put(count(1), forKey: Array("user 7".utf8), in: .registrants)
        },
        Damage(
            "a caller that registered nothing",
            ["registrants user 7: does not say what its caller registered and stored"]
        ) { file in try file.put(count(0), forKey: Array("user 7".utf8), in: .registrants) },
        Damage(
            "a center that is leaving and still has its name",
            ["centers center 1: is leaving, and its name is there"]
        ) { file in try file.put([], forKey: one, in: .leaving) },
        Damage(
            "a center that is leaving and not there",
            [
                "leaving center 9: has a value",
                "leaving center 9: is of center 9, which is not there",
            ]
        ) { file in try file.put([1], forKey: nine, in: .leaving) },
    ]

    static let promptDamages = [
        Damage("a prompt of garbage", ["prompts prompt 2: does not decode"]) { file in
            try file.put([9], forKey: PromptNumber(rawValue: 2).bytes, in: .prompts)
        },
        Damage(
            "a prompt that is open, of an app that asks nothing",
            [
                "prompts prompt 2: is open, and its app asks nothing so",
                "prompts prompt 2: is open, and the person has decided",
            ]
        ) { file in
            let row = prompt(of: 1, isOpen: true)
            try file.put(row, forKey: PromptNumber(rawValue: 2).bytes, in: .prompts)
        },
        Damage(
            "a prompt that has ended, of an app that never asked so",
            ["prompts prompt 2: has ended, and is kept for nothing"]
        ) { file in
            let row = prompt(of: 1, isOpen: false)
            try file.put(row, forKey: PromptNumber(rawValue: 2).bytes, in: .prompts)
        },
        Damage(
            "a prompt that is open and said to have ended",
            [
                "apps center 1: its ended prompt 2 is open, or another app's",
                "prompts prompt 2: is open, and its app asks nothing so",
                "prompts prompt 2: is open, and the person has decided",
            ]
        ) { file in
            try file.put(app(endedPrompts: [2]), forKey: one, in: .apps)
            let row = prompt(of: 1, isOpen: true)
            try file.put(row, forKey: PromptNumber(rawValue: 2).bytes, in: .prompts)
        },
        Damage(
            "a prompt of a center that is not there, whose number is still to be given",
            [
                "prompts prompt 99: its number is still to be given",
                "prompts prompt 99: is of center 9, which is not there",
            ]
        ) { file in
            let row = prompt(of: 9, isOpen: true)
            try file.put(row, forKey: PromptNumber(rawValue: 99).bytes, in: .prompts)
        },
        Damage(
            "a center whose open prompt is gone",
            ["centers center 1: its open prompt 2 is gone"]
        ) { file in
            var (number, center) = try file.center(.local("org.example.app"))
            center.openPrompt = 2
            try file.set(center, number: number)
        },
    ]

    static let categoryDamages = [
        Damage(
            "a category of garbage",
            [#"categories center 1, category "c": does not decode"#]
        ) { file in
            let key = IdentifierKey("c", of: 1).bytes
            try file.put([9], forKey: key, in: .categories)
        },
        Damage("a category's key that is too short", ["categories 0x0001: does not decode"]) {
            file in
            try file.put([1], forKey: [0, 1], in: .categories)
        },
        Damage(
            "a category of a center that is not there",
            [#"categories center 9, category "c": is of center 9, which is not there"#]
        ) { file in
            let category = NotificationCategory(identifier: "c")
            try file.put(
                CategoryRecord(category).bytes,
                forKey: IdentifierKey("c", of: 9).bytes,
                in: .categories
            )
        },
        Damage(
            "a category that nobody can set",
            [
                #"categories center 1, category "c": is none that can be set"#,
                "centers center 1: does not say what its categories are together",
            ]
        ) { file in
            let action = NotificationAction(
                identifier: NotificationAction.dismissIdentifier,
                title: ""
            )
            let category = NotificationCategory(identifier: "c", actions: [action])
            try file.put(
                CategoryRecord(category).bytes,
                forKey: IdentifierKey("c", of: 1).bytes,
                in: .categories
            )
        },
        Damage(
            "the meaning of an action that no category has",
            [
                #"action_meanings center 1, action 99 of category "c": does not decode"#,
                #"action_meanings center 1, action 99 of category "d": "#
                    + "is of a category that is not there",
                "centers center 1: does not say what its categories are together",
            ]
        ) { file in
            let key = CenterNumber(rawValue: 1).bytes + [0, 0, 0, 0, 0, 0, 0, 99]
            try file.put([9], forKey: key + [0x63], in: .actionMeanings)
            let meaning = ActionMeaningRow(NotificationAction(identifier: "a", title: ""))
            try file.put(meaning.bytes, forKey: key + [0x64], in: .actionMeanings)
        },
        Damage(
            "the meaning of an action that means something else",
            [
                "action_meanings center 1, action "
                    + "\(ActionMeaningKey("a", in: "c", of: 1).action)"
                    + #" of category "c": is no action's of the category"#,
                "centers center 1: does not say what its categories are together",
            ]
        ) { file in
            let action = NotificationAction(identifier: "a", title: "A")
            let category = NotificationCategory(identifier: "c", actions: [action])
            try file.put(
                CategoryRecord(category).bytes,
                forKey: IdentifierKey("c", of: 1).bytes,
                in: .categories
            )
            let meaning = ActionMeaningRow(NotificationAction(identifier: "a", title: "B"))
            let key = ActionMeaningKey("a", in: "c", of: 1)
            try file.put(meaning.bytes, forKey: key.bytes, in: .actionMeanings)
        },
        Damage(
            "categories that are too much text",
            [
                #"categories center 1, category "q": "#
                    + "is more text than a center's categories may have",
                "centers center 1: does not say what its categories are together",
            ]
        ) { file in
            for name in "abcdefghijklmnopqr" {
                let category = NotificationCategory(
                    identifier: String(name),
                    summaryFormat: String(repeating: "x", count: Limits.categoryBytes - 1)
                )
                try file.put(
                    CategoryRecord(category).bytes,
                    forKey: IdentifierKey(String(name), of: 1).bytes,
                    in: .categories
                )
            }
        },
    ]

    private static func strings(
        _ strings: [ExactText: LocalizedString],
        app: String = "org.example.app",
        language: String = "en"
    ) -> (key: [UInt8], value: [UInt8]) {
        (
            Array(app.utf8) + [0] + Array(language.utf8),
            StringTableRecord(strings).bytes
        )
    }

    static let stringDamages = [
        Damage("a string table, which is no damage", []) { file in
            let row = strings(["a": .text(""), "b": .plural(PluralForms(other: "b"))])
            try file.put(row.value, forKey: row.key, in: .stringTables)
        },
        Damage(
            "a string table of garbage",
            ["string_tables org.example.app in en: does not decode"]
        ) { file in
            try file.put([1, 0, 0, 0, 9], forKey: strings([:]).key, in: .stringTables)
        },
        Damage(
            "a string table without a language",
            ["string_tables 0x6162: does not decode"]
        ) { file in
            let row = strings(["a": .text("a")])
            try file.put(row.value, forKey: Array("ab".utf8), in: .stringTables)
        },
        Damage(
            "string tables that nobody can set",
            [
                "string_tables a/b in en: is none that can be set",
                "string_tables org.example.app in EN: is none that can be set",
                "string_tables org.example.app in en: is none that can be set",
                "string_tables org.example.app in fr: is none that can be set",
            ]
        ) { file in
            for row in [
                strings(["a": .text("a")], app: "a/b"), strings(["a": .text("a")], language: "EN"),
                strings([:]), strings(["": .text("a")], language: "fr"),
            ] {
                try file.put(row.value, forKey: row.key, in: .stringTables)
            }
        },
        Damage(
            "a string table whose texts are in another order",
            ["string_tables org.example.app in en: does not decode"]
        ) { file in
            let row = strings(["a": .text(""), "b": .text("")])
            // The keys change places, and all else stays.
            let value = row.value.map { $0 == 97 ? 98 : $0 == 98 ? 97 : $0 }
            try file.put(value, forKey: row.key, in: .stringTables)
        },
    ]
}
