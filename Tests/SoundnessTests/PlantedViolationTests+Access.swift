extension PlantedViolationTests {
    static let access = [
        Planted(
            .sharedDeclarationsAreDescribed,
            "Sources/NotificationStore/A.swift",
            "/// A thing.\npackage struct A {\n\n    package let a: Int\n}",
            line: 4
        ),
        Planted(
            .sharedDeclarationsAreDescribed,
            "Sources/NotificationClient/A.swift",
            "/// A thing.\n\npublic final class A {}",
            line: 3
        ),
        Planted(
            .sharedDeclarationsAreDescribed,
            "Sources/NotificationStore/A.swift",
            "// A thing.\n@discardableResult package static func a() {}",
            line: 2
        ),
        Planted(
            .sharedDeclarationsAreDescribed,
            "Sources/NotificationStore/A.swift",
            "extension A {\n    package init?(a: Int) {}\n}",
            line: 2
        ),
        Planted(
            .sharedDeclarationsAreDescribed,
            "Sources/NotificationStore/A.swift",
            """
            package import B
            package extension A {
                /// Makes it.
                @inlinable
                package init<C>(_ c: C) {}
                override package func a() {}
                private let a = 1
                func b() {}
            }
            """,
            line: nil
        ),
    ]
}
