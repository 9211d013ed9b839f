/// A request without its words: what decides when it fires, what it replaces and how it is
/// presented.
///
/// A firing needs no more, and the words of a stored request are most of its bytes.
package final class RequestHead: Sendable {
    /// The key for replacing and removing.
    package let identifier: String
    package let trigger: Trigger?
    /// As ``NotificationRequest/replacementKey``.
    package let replacementKey: String
    /// As ``NotificationRequest/expiresAfterNanoseconds``.
    package let expiresAfterNanoseconds: Int64?
    package let content: Boxed<ContentHead>
    /// As ``NotificationRequest/byteCount``.
    package let byteCount: Int

    package init(
        identifier: String,
        trigger: Trigger?,
        replacementKey: String,
        expiresAfterNanoseconds: Int64?,
        content: Boxed<ContentHead>,
        byteCount: Int
    ) {
        self.identifier = identifier
        self.trigger = trigger
        self.replacementKey = replacementKey
        self.expiresAfterNanoseconds = expiresAfterNanoseconds
        self.content = content
        self.byteCount = byteCount
    }

    /// As ``NotificationRequest/storedByteCount``.
    package var storedByteCount: Int {
        NotificationRequest.storedByteCount(identifier, trigger, replacementKey, of: byteCount)
    }

    /// The replacement key where it is another than the identifier; empty where it is not.
    package var ownReplacementKey: String {
        replacementKey.isEmpty || replacementKey.isExactly(identifier) ? "" : replacementKey
    }
}

extension NotificationRequest {
    package var head: RequestHead {
        RequestHead(
            identifier: identifier,
            trigger: trigger,
            replacementKey: replacementKey,
            expiresAfterNanoseconds: expiresAfterNanoseconds,
            content: Boxed(content.head),
            byteCount: byteCount
        )
    }
}

/// A content without its words: what decides how a notification is presented.
///
/// The fields are those of ``NotificationContent`` with the same names.
package struct ContentHead: Hashable, Sendable {
    package var badge: Int32?
    package var badgeMode = BadgeMode.set
    package var sound: Sound?
    package var givenInterruptionLevel: InterruptionLevel?
    package var foregroundPresentation: PresentationOptions?
    package var communication: Communication?
    package var filterCriteria = ""
    package var updatesQuietly = false
    package var hasAlertText = false
    package var holdsAttachments = false

    package init() {}

    /// As ``NotificationContent/interruptionLevel``.
    package var interruptionLevel: InterruptionLevel {
        get { givenInterruptionLevel ?? .active }
        set { givenInterruptionLevel = newValue }
    }
}

extension NotificationContent {
    package var head: ContentHead {
        var head = ContentHead()
        head.badge = badge
        head.badgeMode = badgeMode
        head.sound = sound
        head.givenInterruptionLevel = givenInterruptionLevel
        head.foregroundPresentation = foregroundPresentation
        head.communication = communication
        head.filterCriteria = filterCriteria
        head.updatesQuietly = updatesQuietly
        head.hasAlertText = hasAlertText
        head.holdsAttachments = holdsAttachments
        return head
    }

    /// Whether the content refers to stored files.
    package var holdsAttachments: Bool {
        !attachments.isEmpty || communication?.avatarAttachment.isEmpty == false
    }
}
