extension Rule {
    static let storedPropertyLimit = 12
    static let methodLimit = 40

    /// Types that may have more stored properties, and why.
    ///
    /// Each is a value that mirrors a record of its field one to one, and parts would make it
    /// harder to compare with that. A type that does things is not listed: it gets better parts.
    static let recordsOfTheField = [
        "NotificationCore.CalendarComponents": "mirrors DateComponents",
        "NotificationCore.CenterState": "mirrors the row of a center",
        "NotificationCore.NotificationContent": "mirrors UNNotificationContent",
        "NotificationCore.NotificationSettings": "mirrors UNNotificationSettings",
        "NotificationCore.SettingsChange": "mirrors UNNotificationSettings, each setting or none",
        "NotificationStore.Counts": "the counters of GetStats, each by its name",
        "NotificationStore.StoreLimits": "the limits of a store, each with its number",
        "NotificationStore.StoreUsage": "the figures of GetStats, each by its name",
        "NotificationRecords.Tables": "the tables of the file, each by its name",
    ]

    /// Types that may have more methods, and why.
    static let interfaces = [
        "NotificationStore.Store": "a method for each command and each read, made by other types",
        "NotificationStore.StoreRules": "a method for each table of the file",
        "NotificationStore.Batch": "a method for each part of a transaction, made by other types",
        "NotificationService.NotificationService": "a method for each group of rpcs",
    ]

    /// A type, over all files of its target.
    private struct MeasuredType {
        let file: SourceFile
        var part: TypeScanner.Part
        var name: String { "\(file.target ?? "").\(part.name)" }

        var hasManyProperties: Bool { part.properties > storedPropertyLimit }
        var hasManyMethods: Bool { part.methods > methodLimit }

        /// The type before anything of it is counted.
        var emptied: MeasuredType {
            var type = self
            type.part.properties = 0
            type.part.methods = 0
            return type
        }

        mutating func add(_ other: TypeScanner.Part) {
            part.properties += other.properties
            part.methods += other.methods
        }
    }

    static let typesAreSmall = Rule { tree in
        measuredTypes(of: tree).filter { type in
            type.hasManyProperties && recordsOfTheField[type.name] == nil
                || type.hasManyMethods && interfaces[type.name] == nil
        }.map { type in
            type.file.violation(
                line: type.part.line,
                """
                \(type.part.name) has \(type.part.properties) stored properties and \
                \(type.part.methods) methods, more than \(storedPropertyLimit) or \(methodLimit)
                """
            )
        }
    }

    /// A type that became small, or is gone, needs its exception no more.
    static let largeTypesNeedTheirEntry = Rule { tree in
        let types = measuredTypes(of: tree)
        let records = recordsOfTheField.keys.filter { name in
            !types.contains { $0.name == name && $0.hasManyProperties }
        }
        let others = interfaces.keys.filter { name in
            !types.contains { $0.name == name && $0.hasManyMethods }
        }
        return (records + others).sorted().map { name in
            Violation(
                path: "Tests/SoundnessTests/Rule+Types.swift",
                line: 1,
                message: "\(name) is within the limits and needs no exception"
            )
        }
    }

    /// The types of each target, with the sums of all their declarations.
    ///
    /// The place of a type is where it is declared, or else where it is first extended.
    private static func measuredTypes(of tree: SourceTree) -> [MeasuredType] {
        let parts = tree.files.filter { $0.isOwnSwift && $0.target != nil }.flatMap { file in
            TypeScanner.parts(of: file.code).map { MeasuredType(file: file, part: $0) }
        }
        let declarations = parts.filter { !$0.part.isExtension }
        let extensions = parts.filter { $0.part.isExtension }
        var types: [String: MeasuredType] = [:]
        for type in declarations + extensions {
            types[type.name, default: type.emptied].add(type.part)
        }
        return types.values.sorted { $0.name < $1.name }
    }
}
