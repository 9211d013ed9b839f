package import NotificationCore

/// An app on a device as the `apps` table keeps it: its registration, and the facts that no
/// notification needs.
package struct AppRecord: SealedRow, Equatable {
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

    package func write(to writer: inout ByteWriter) {
        registeredAt.write(to: &writer)
        writer.put(grouping.rawValue)
        endedPrompts.write(to: &writer)
        registration.write(to: &writer)
        writer.put(registrant)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        registeredAt = try reader.value()
        grouping = try reader.choice()
        endedPrompts = try reader.value()
        registration = try reader.value()
        registrant = try reader.text()
    }
}

extension AppRegistration: Coded {
    package func write(to writer: inout ByteWriter) {
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
        extensions.write(to: &writer)
        writer.put(isEphemeral)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init()
        for _ in 0..<(try reader.count()) {
            let language = try reader.text()
            names[language] = try reader.text()
        }
        icon = try reader.text()
        language = try reader.text()
        entitlements = Entitlements(rawValue: try reader.number())
        backgroundModes = BackgroundModes(rawValue: try reader.number())
        extensions = try reader.value()
        isEphemeral = try reader.bool()
    }
}

extension AppExtension: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(identifier)
        writer.put(kind.rawValue)
        categories.write(to: &writer)
        writer.put(appearance.initialContentSizeRatio.bitPattern)
        writer.put(appearance.hidesDefaultContent)
        writer.put(appearance.overridesDefaultTitle)
        writer.put(appearance.takesTouches)
        writer.put(appearance.handlesResponses)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(identifier: try reader.text(), kind: try reader.choice())
        categories = try reader.value()
        appearance.initialContentSizeRatio = Double(bitPattern: try reader.number())
        appearance.hidesDefaultContent = try reader.bool()
        appearance.overridesDefaultTitle = try reader.bool()
        appearance.takesTouches = try reader.bool()
        appearance.handlesResponses = try reader.bool()
    }
}
