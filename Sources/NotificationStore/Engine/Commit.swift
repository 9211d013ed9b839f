package import NotificationCore
internal import NotificationRecords

/// The news of a durable batch, for subscribers, watchers and waiting calls.
package struct Commit: Sendable {
    /// The newest event of each center that has new events.
    package internal(set) var lastEvents: [CenterNumber: EventNumber] = [:]
    /// The newest callback of each center that has new callbacks.
    package internal(set) var openedCallbacks: [CenterNumber: CallbackNumber] = [:]
    /// The identifiers to which something happened, by center, for those who wait for answers.
    package internal(set) var named: [CenterNumber: [String]] = [:]
    /// The callbacks that ended, by center.
    package internal(set) var endedCallbacks: [CenterNumber: [CallbackEnd]] = [:]
    /// The centers whose app was unregistered.
    package internal(set) var unregistered: [CenterNumber: CenterName] = [:]
    /// The news for extensions, by app.
    ///
    /// Bounded: names of apps, which were validated.
    package internal(set) var extensions: [String: ExtensionNews] = [:]
    /// The news for watchers, by device.
    ///
    /// Bounded: names of devices, which were validated.
    package internal(set) var devices: [String: [DeviceNews]] = [:]
    /// The pushes to many devices that went on.
    package internal(set) var tagPushes: Set<TagPushNumber> = []
    /// The centers whose app let a will-present deadline pass.
    var missedDeadlines: Set<CenterNumber> = []
    /// The newest question of how to present a notification.
    var lastAsked: CallbackNumber?
    /// The prompts that ended: calls may wait for their end.
    var endedPrompts: Set<PromptNumber> = []
    /// The files that are no longer named by any row.
    var removedFiles: [AttachmentFile] = []
}

/// Is told each durable commit.
///
/// Called on the writer thread, which all calls wait for: it must not block.
package protocol CommitObserver: Sendable {
    /// Takes the news of a batch, once the batch is durable; its last calls may still be answered.
    func committed(_ commit: Commit)
    /// Whether a device is watched, so that a batch has to note its news.
    func isWatched(_ device: String) -> Bool
    /// The last event that was told to every subscriber of a center that has been caught up once;
    /// nil where there is no such subscriber.
    func toldByFollowers(of center: CenterNumber) -> EventNumber?
}
