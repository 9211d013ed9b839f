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
    ]
}
