internal import NotificationCore
internal import NotificationRecords

/// How the store may grow by a command, which is refused where there is no room for that (ST-2).
///
/// Every command says it: one that forgot to ask would fill the store past its limits.
enum Growth {
    /// It removes, or changes rows in their places: it is never refused for lack of room.
    case nothing
    /// It keeps about so many bytes more, which count for its center, or else for its caller.
    case bytes(Int)
    /// A person acts: the app is told, in the room that due work has.
    case act
    /// It keeps many things, and asks for each.
    case asked
}

extension Batch {
    /// Why a command may not make the store grow; nil where it may.
    ///
    /// A center that is not registered is for the command to refuse.
    func refusal(of growth: Growth, on owner: CenterName?) throws(StoreFailure) -> Refusal? {
        switch growth {
        case .nothing, .asked: return nil
        case .act: return room == .removals ? .storeFull : nil
        case .bytes(let byteCount):
            guard let owner, let center = try center(owner) else {
                return try refusal(ofKeeping: byteCount)
            }
            return try center.refusal(ofKeeping: byteCount)
        }
    }
}

extension CenterWork {
    /// Why the store may not keep so many bytes more for the center; not more than 0 bytes are
    /// always allowed.
    ///
    /// The store is full, or the app's caller is at its limit.
    func refusal(ofKeeping byteCount: Int) throws(StoreFailure) -> Refusal? {
        guard byteCount > 0 else { return nil }
        guard batch.hasRoomForAdds else { return .storeFull }
        return try storeBytesRefusal(of: byteCount)
    }
}
