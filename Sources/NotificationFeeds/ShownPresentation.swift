package import NotificationCore
package import NotificationStore

/// An open notification, as its device shows it.
package struct ShownPresentation: Sendable {
    /// The presentation, with the buttons in the person's language.
    package var presentation: OpenPresentation
    package var notification: ShownNotification

    /// About how many bytes it takes.
    var byteCount: Int { presentation.byteCount + notification.rendered.byteCount }
}

extension Feeds {
    /// Renders an open notification; `completion` runs on a reader thread.
    ///
    /// `completion` is told the presentation, or that it is closed.
    package func showPresentation(
        _ identifier: PresentationIdentifier,
        for caller: ReadCaller = ReadCaller(),
        completion: @escaping Completion<ShownPresentation>
    ) {
        store.lists.read(for: caller, completion) { [reader] () throws(Refusal) in
            try Self.shown(identifier, reader)
        }
    }

    private static func shown(
        _ identifier: PresentationIdentifier,
        _ reader: StoreReader
    ) throws(Refusal) -> ShownPresentation {
        guard let presentation = reader.presentation(identifier) else {
            throw .presentationNotFound
        }
        let found: ShownPresentation?
        do {
            found = try DeviceListReader.shown(presentation, reader)
        } catch {
            throw reader.refusal(for: error)
        }
        guard let found else { throw .presentationNotFound }
        return found
    }
}

extension DeviceListReader {
    /// Makes a reader that has read one app, and none of its notifications.
    static func ofApp(
        _ center: CenterName,
        _ reader: StoreReader
    ) throws(ReadError) -> DeviceListReader {
        var query = DeviceListQuery(device: center.device)
        query.apps = [center.app]
        var list = DeviceListReader(reader: reader, query: query)
        try list.readDevice()
        _ = try list.readApps(after: nil)
        return list
    }

    /// Renders an open notification; nil where it no longer exists.
    static func shown(
        _ presentation: OpenPresentation,
        _ reader: StoreReader
    ) throws(ReadError) -> ShownPresentation? {
        let reference = presentation.notification
        var list = try ofApp(reference.center, reader)
        let content = try reader.content(of: presentation)
        let member = ListedNotification(
            app: reference.center.app,
            identifier: reference.identifier,
            delivery: reference.delivery,
            date: presentation.source.date,
            content: content ?? NotificationContent()
        )
        guard let content,
            let shown = try list.show(member, content, offering: presentation.actions)
        else { return nil }
        var presentation = presentation
        presentation.actions = shown.rendered.actions.map(\.action)
        if shown.rendered.isHidden { presentation.view = nil }
        return ShownPresentation(presentation: presentation, notification: shown)
    }
}
