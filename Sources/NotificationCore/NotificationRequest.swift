/// A notification to be delivered when its trigger fires; a value, never changed once added.
@usableFromInline
package struct NotificationRequest: Hashable, Sendable {
    /// The key for replacing and removing, 1-256 UTF-8 bytes.
    package var identifier: String
    /// The words and effects of the notification.
    ///
    /// Reading it copies nothing. A change copies all of it, so that a content is put together
    /// first, and given to the request then.
    @inlinable
    package var content: NotificationContent {
        _read { yield boxedContent.value }
        set { boxedContent = Boxed(newValue) }
    }
    @usableFromInline
    var boxedContent: Boxed<NotificationContent>
    /// When the request fires; absent means now.
    package var trigger: Trigger?
    /// Delivering replaces the delivered notifications with the same key (ADD-12); empty is the
    /// identifier.
    package var replacementKey = ""
    /// How late the request may fire, in nanoseconds: later than that it is missed, whatever D-8
    /// says; nil leaves that to D-8.
    package var expiresAfterNanoseconds: Int64?
    /// The trace context of the call that made the request (W-24).
    package var trace: TraceContext?

    package init(identifier: String, content: NotificationContent, trigger: Trigger? = nil) {
        self.identifier = identifier
        boxedContent = Boxed(content)
        self.trigger = trigger
    }

    /// How many bytes the content and the trace context take in a message, about.
    package var byteCount: Int { content.byteCount + (trace?.byteCount ?? 0) }

    /// How many bytes a pending request takes in the store, about: the request, and the rows by
    /// which it is found.
    package var storedByteCount: Int {
        Self.storedByteCount(identifier, trigger, replacementKey, of: byteCount)
    }

    static func storedByteCount(
        _ identifier: String,
        _ trigger: Trigger?,
        _ replacementKey: String,
        of byteCount: Int
    ) -> Int {
        256 + byteCount + identifier.utf8.count + 2 * replacementKey.utf8.count
            + (trigger?.storedByteCount ?? 0)
    }
}
