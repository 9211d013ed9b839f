package import NotificationCore

/// An app on a device as the `apps` table keeps it: its registration, and the facts that no
/// notification needs.
package struct AppRecord: TableRow, Equatable {
    package var registration = AppRegistration()
    package var registeredAt: WallInstant
    /// How the person groups the app's notifications.
    package var grouping = GroupingMode.automatic
    /// The app's ended prompts, whose rows are deleted with the app.
    package var endedPrompts: [PromptNumber] = []
    /// The caller that registered the app, as ``Registrant/name`` has it; empty where it counts for
    /// nobody.
    package var registrant = ""

    /// The row of an app that is registered at an instant, by its first call.
    package init(registeredAt: WallInstant) {
        self.registeredAt = registeredAt
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 32)
        writer.put(registeredAt.nanoseconds)
        writer.put(grouping.rawValue)
        writer.putVarint(UInt64(endedPrompts.count))
        for prompt in endedPrompts { writer.put(prompt) }
        registration.write(to: &writer)
        writer.put(registrant)
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        registeredAt = WallInstant(nanoseconds: try reader.number())
        grouping = try reader.choice()
        for _ in 0..<(try reader.count()) { endedPrompts.append(try reader.serial()) }
        registration = try AppRegistration(&reader)
        registrant = try reader.text()
        guard reader.isAtEnd else { throw .undecodable }
    }
}

extension AppRegistration {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.putVarint(UInt64(names.count))
        // In the order of the languages, so that the same registration always has the same bytes.
        for (language, name) in names.sorted(by: { $0.key < $1.key }) {
            writer.put(language)
            writer.put(name)
        }
        writer.put(icon)
        writer.put(language)
        writer.put(entitlements.rawValue)
        writer.put(backgroundModes.rawValue)
        writer.putVarint(UInt64(extensions.count))
        for item in extensions { item.write(to: &writer) }
        writer.put(isEphemeral)
    }

    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init()
        for _ in 0..<(try reader.count()) {
            let language = try reader.text()
            names[language] = try reader.text()
        }
        icon = try reader.text()
        language = try reader.text()
        entitlements = Entitlements(rawValue: try reader.number())
        backgroundModes = BackgroundModes(rawValue: try reader.number())
        for _ in 0..<(try reader.count()) { extensions.append(try AppExtension(&reader)) }
        isEphemeral = try reader.bool()
    }
}

extension AppExtension {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.put(identifier)
        writer.put(kind.rawValue)
        writer.putVarint(UInt64(categories.count))
        for category in categories { writer.put(category) }
        writer.put(appearance.initialContentSizeRatio.bitPattern)
        writer.put(appearance.hidesDefaultContent)
        writer.put(appearance.overridesDefaultTitle)
        writer.put(appearance.takesTouches)
        writer.put(appearance.handlesResponses)
    }

    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(identifier: try reader.text(), kind: try reader.choice())
        for _ in 0..<(try reader.count()) { categories.append(try reader.text()) }
        appearance.initialContentSizeRatio = Double(bitPattern: try reader.number())
        appearance.hidesDefaultContent = try reader.bool()
        appearance.overridesDefaultTitle = try reader.bool()
        appearance.takesTouches = try reader.bool()
        appearance.handlesResponses = try reader.bool()
    }
}
