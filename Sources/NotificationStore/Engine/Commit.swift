public import NotificationCore

/// What a durable batch did, as far as somebody is told of it.
public struct Commit: Sendable {
    /// The newest event of each center that got one.
    public internal(set) var lastEvents: [UInt32: UInt64] = [:]
    /// The newest callback of each center that got one.
    public internal(set) var openedCallbacks: [UInt32: UInt64] = [:]
    /// The callbacks that ended, by center.
    public internal(set) var endedCallbacks: [UInt32: [CallbackEnd]] = [:]
    /// The centers whose app is gone.
    public internal(set) var unregistered: [UInt32: CenterName] = [:]
    /// What those who watch a device are told, by device.
    ///
    /// Bounded: names of devices, which were validated.
    public internal(set) var devices: [String: [DeviceNews]] = [:]
    /// The centers whose app let a will-present deadline pass.
    var missedDeadlines: Set<UInt32> = []
    /// The newest question of how to present a notification.
    var lastAsked: UInt64?
    /// The prompts that ended: calls may wait for that.
    var endedPrompts: Set<UInt64> = []
    /// The files that no row names any more.
    var removedFiles: [AttachmentFile] = []
}

/// Who is told what became durable.
///
/// Called on the writer thread, which everybody waits for: it must not block.
public protocol CommitObserver: Sendable {
    /// Takes what a batch did, once that is durable and its calls are answered.
    func committed(_ commit: Commit)
    /// Whether somebody watches a device, so that a batch notes its news.
    func isWatched(_ device: String) -> Bool
    /// The last event that all were told who follow a center's log at its end, or did so before
    /// the newest events came; nil where nobody does.
    func toldByFollowers(of center: UInt32) -> UInt64?
}
