/// All who are told of commits: those who follow a center and those who watch a device.
struct Followers: CommitObserver {
    let subscriptions: Subscriptions
    let watches: DeviceWatches

    func committed(_ commit: Commit) {
        subscriptions.wake(commit)
        watches.wake(commit.devices)
    }

    func isWatched(_ device: String) -> Bool { watches.isWatched(device) }

    func toldByFollowers(of center: UInt32) -> UInt64? { subscriptions.toldByFollowers(of: center) }
}
