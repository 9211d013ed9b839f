extension PlantedViolationTests {
    static let access = [
        Planted(
            .publicIsForPrograms,
            "Sources/NotificationStore/A.swift",
            "package struct A {\n    public var a = 1\n}",
            line: 2
        ),
        Planted(
            .publicIsForPrograms,
            "Sources/BelfryGRPC/A.swift",
            "public import BelfryLocking\npublic enum A {}",
            line: 2
        ),
        Planted(
            .publicIsForPrograms,
            "Tests/TestSupport/A.swift",
            "public func a() {}",
            line: 1
        ),
        Planted(
            .publicIsForPrograms,
            "Sources/NotificationStore/A.swift",
            "package let a = \"public\" // public",
            line: nil
        ),
        Planted(
            .publicIsForPrograms,
            "Sources/NotificationClient/A.swift",
            "public func a() {}",
            line: nil
        ),
        Planted(
            .publicIsForPrograms,
            "Sources/BelfryGRPC/Channel.swift",
            "public final class Channel {}",
            line: nil
        ),
        Planted(
            .publicFilesNeedTheirEntry,
            "Sources/BelfryGRPC/Channel.swift",
            "package final class Channel {} // public",
            line: 1
        ),
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
