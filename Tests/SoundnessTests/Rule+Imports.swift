extension Rule {
    /// The modules that each target in `Sources` may import: the project's and its packages'.
    ///
    /// `NotificationStore` may import Foundation too, in one file: ``oneCalendarAdapter``.
    static let importTable: [String: Set<String>] = [
        "BelfryLocking": ["Synchronization"],
        "BelfryCertificates": ["CBelfryOpenSSL"],
        "BelfryHashing": ["CBelfryOpenSSL"],
        "BelfryWebPush": ["CBelfryOpenSSL", "BelfryHashing"],
        "Faults": ["Glibc"],
        "BelfryLMDB": system.union(["CBelfryLMDB", "Faults"]),
        "BelfryGRPC": system.union(["CBelfryGRPC", "Faults"]),
        "StandardServices": system.union(["Foundation", "BelfryGRPC", "SwiftProtobuf"]),
        "NotificationCore": ["Faults"],
        "NotificationLog": ["BelfryLMDB", "BelfryLocking", "Faults"],
        "NotificationRecords": [
            "BelfryLMDB", "BelfryLocking", "Faults", "Glibc", "NotificationCore", "NotificationLog",
        ],
        "NotificationStore": system.union([
            "CBelfryLinux", "DequeModule", "Foundation", "BelfryHashing", "BelfryLMDB",
            "Faults", "NotificationCore", "NotificationRecords",
        ]),
        "NotificationFeeds": system.union([
            "DequeModule", "Faults", "NotificationCore", "NotificationStore",
        ]),
        "NotificationProtocol": system.union(["Foundation", "SwiftProtobuf"]),
        "NotificationService": system.union([
            "BelfryGRPC", "BelfryHashing", "BelfryWebPush", "Faults", "NotificationCore",
            "NotificationFeeds", "NotificationProtocol", "NotificationStore", "StandardServices",
            "SwiftProtobuf",
        ]),
        "NotificationServer": system.union([
            "BelfryGRPC", "CoreMetrics", "Foundation", "Logging", "NotificationCore",
            "NotificationProtocol", "NotificationService", "NotificationStore", "ServiceLifecycle",
            "SwiftProtobuf",
        ]),
        "NotificationHTTP": system.union([
            "BelfryGRPC", "BelfryHashing", "BelfryWebPush", "CBelfryPage",
            "Faults", "Foundation", "HTTPTypes", "HummingbirdCore", "Logging", "NIOCore",
            "NIOHTTP1", "NIOPosix", "NIOSSL", "NotificationProtocol",
            "StandardServices", "SwiftProtobuf",
        ]),
        "NotificationClient": system.union([
            "BelfryGRPC", "Faults", "Instrumentation", "NotificationProtocol",
            "ServiceContextModule", "StandardServices", "SwiftProtobuf",
        ]),
        "NotificationTesting": [
            "Foundation", "Logging", "NotificationClient", "NotificationProtocol",
            "NotificationServer", "Testing",
        ],
        "belfry": system.union([
            "ArgumentParser", "CBelfryLinux", "Foundation", "BelfryCertificates", "BelfryGRPC",
            "BelfryWebPush", "Faults", "Histogram", "Logging",
            "NotificationClient", "NotificationCore", "NotificationHTTP", "NotificationProtocol",
            "NotificationServer", "NotificationService", "NotificationStore", "SwiftProtobuf",
        ]),
    ]

    /// The modules that every target but the core may import.
    private static let system: Set<String> = [
        "Dispatch", "Glibc", "BelfryLocking", "Synchronization",
    ]

    static let targetsImportWhatTheirRowLists = eachFile(of: { $0.isOwnSwift }) { file in
        guard let target = file.target else { return [] }
        guard let allowed = importTable[target] else {
            return [file.violation(line: 1, "the target \(target) has no row in the import table")]
        }
        return file.imports.filter { !allowed.contains($0.module) }.map { found in
            file.violation(line: found.line, "\(target) may not import \(found.module)")
        }
    }

    static let coreImportsNothing = eachFile(of: { $0.target == "NotificationCore" }) { file in
        file.imports.filter { $0.module != "Faults" }.map { found in
            file.violation(line: found.line, "NotificationCore imports nothing but Faults")
        }
    }

    static let oneCalendarAdapter = Rule { tree in
        let adapters = tree.files.filter { file in
            file.target == "NotificationStore"
                && file.imports.contains { $0.module == "Foundation" }
        }
        let misnamed = adapters.filter { !$0.name.contains("Calendar") }
        return (misnamed + adapters.dropFirst()).map { file in
            file.violation(
                line: file.imports.first { $0.module == "Foundation" }?.line ?? 1,
                "only one file of NotificationStore, the calendar's, imports Foundation"
            )
        }
    }

    static let importsHaveAnAccessLevel = eachFile(
        of: { $0.isOwnSwift && $0.name != "Package.swift" && !$0.isIn("Examples") }
    ) { file in
        file.imports.filter { !$0.hasAccessLevel }.map { found in
            file.violation(line: found.line, "import of \(found.module) has no access level")
        }
    }
}

extension SourceFile {
    struct Import {
        let module: String
        let line: Int
        let hasAccessLevel: Bool
    }

    var imports: [Import] {
        guard language == .swift else { return [] }
        return code.enumerated().compactMap { index, line in
            Self.parseImport(line).map { module, hasAccessLevel in
                Import(module: module, line: index + 1, hasAccessLevel: hasAccessLevel)
            }
        }
    }

    private static let accessLevels: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private",
    ]
    private static let declarationKinds: Set<Substring> = [
        "typealias", "struct", "class", "enum", "protocol", "let", "var", "func",
    ]

    private static func parseImport(_ line: String) -> (module: String, hasAccessLevel: Bool)? {
        var words = line.split { $0.isWhitespace }[...]
        while words.first?.hasPrefix("@") == true { words.removeFirst() }
        let hasAccessLevel = words.first.map(accessLevels.contains) ?? false
        if hasAccessLevel { words.removeFirst() }
        guard words.first == "import" else { return nil }
        words.removeFirst()
        if let kind = words.first, declarationKinds.contains(kind) { words.removeFirst() }
        return words.first?.split(separator: ".").first.map { (String($0), hasAccessLevel) }
    }
}
