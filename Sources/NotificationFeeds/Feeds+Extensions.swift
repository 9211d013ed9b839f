package import NotificationCore
internal import NotificationStore

extension Feeds {
    /// Begins to serve as an extension of an app, on all devices; the messages begin at once, on a
    /// thread of the pump.
    ///
    /// The newest call of an extension takes over from the older, which ends with
    /// `EXTENSION_REPLACED`; an app has one service extension (NSE-8).
    ///
    /// - Parameters:
    ///   - request: The app and the extension.
    ///   - sink: Where the messages go; kept until the feed ends.
    /// - Returns: The feed, to be cancelled when its reader is gone; the sink gets the feed, too.
    /// - Throws: That another extension shows one of the categories, or a limit. Paths are relative
    ///   to the extension.
    @discardableResult
    package func serve(
        _ request: ServingRequest,
        sink: any FeedSink<ExtensionFeed, ExtensionFeedMessage>
    ) throws(Refusal) -> ExtensionFeed {
        let feed = ExtensionFeed(request: request, sink: sink, feeds: self)
        try pump.add(feed)
        do throws(Refusal) {
            let owner = ObjectIdentifier(feed)
            let now = store.clock.now().elapsed
            let replaced = try extensions.attach(request, owner: owner, at: now)
            if let replaced { pump.feed(of: request.app, named: replaced)?.end(.servingReplaced) }
        } catch {
            pump.forget(feed)
            throw error
        }
        sink.begin(feed)
        if feed.isEnded {
            _ = extensions.detach(request, owner: ObjectIdentifier(feed))
            return feed
        }
        // Read the questions that a batch opened before the feed was added by this number.
        if let newest = try? reader.newestCallback() {
            feed.note(newest: newest)
        }
        let (item, app) = (request.extension, request.app)
        feed.note(open: reader.contents(shownBy: item.identifier, of: app))
        feed.open()
        pump.schedule(feed)
        return feed
    }

    /// The buttons of a presentation, for the extension that shows it (NCE-5).
    ///
    /// - Returns: The buttons, in their order.
    /// - Throws: That the presentation is closed, or that its extension does not serve.
    package func actions(
        of identifier: PresentationIdentifier,
        app: String
    ) throws(Refusal) -> [NotificationAction] {
        guard let presentation = store.presentation(identifier),
            presentation.notification.center.app == app
        else { throw .presentationNotFound }
        let serving = extensions.contentExtension(
            of: app,
            showing: presentation.source.category,
            at: store.clock.now().elapsed
        )
        guard let serving, serving.identifier == presentation.contentExtension?.identifier else {
            throw .viewNotServed
        }
        return presentation.actions
    }
}
