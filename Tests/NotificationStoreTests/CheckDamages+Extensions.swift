internal import NotificationCore
internal import TestSupport

@testable internal import NotificationRecords
@testable internal import NotificationStore

extension CheckTests {
    static let extensionDamages = [
        Damage(
            "a waiting push of garbage",
            ["service_arrivals center 1, push 1: does not decode"]
        ) { file in
            let key = ServiceArrivalKey(1, of: 1).bytes
            try file.put([7], forKey: key, in: .serviceArrivals)
        },
        Damage(
            "a question to an extension of garbage",
            ["extension_questions callback 1 of org.example.app: does not decode"]
        ) { file in
            let key = ExtensionQuestionKey(1, of: "org.example.app").bytes
            try file.put([7], forKey: key, in: .extensionQuestions)
        },
        Damage(
            "a question to an extension that is none",
            ["extension_questions callback 1 of org.example.app: its callback is gone"]
        ) { file in
            let key = ExtensionQuestionKey(1, of: "org.example.app").bytes
            let row = ExtensionQuestionRecord(center: 1, kind: .service)
            try file.put(row.bytes, forKey: key, in: .extensionQuestions)
        },
        Damage(
            "a question to an extension of another app",
            [
                "extension_questions callback 1 of org.example.b: its callback is gone",
                "extension_questions callback 1 of org.example.b: is of another app",
            ]
        ) { file in
            let key = ExtensionQuestionKey(1, of: "org.example.b").bytes
            let row = ExtensionQuestionRecord(center: 1, kind: .service)
            try file.put(row.bytes, forKey: key, in: .extensionQuestions)
        },
    ]
}
