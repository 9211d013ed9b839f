internal import BelfryGRPC
internal import NotificationStore

/// Why a server cannot serve.
public struct NotificationServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reasons that a program can tell apart.
    public enum Reason: Sendable, Hashable {
        /// The configuration cannot be followed, whatever the state of the machine.
        case invalidConfiguration
        case directoryInUse
        /// The directory or its store cannot be opened, or the store is of another version.
        case cannotOpenStore
        /// The store's file is damaged: starting again does not help.
        case storeDamaged
        /// LMDB or the disk failed.
        case storeFailed
        /// An address cannot be listened on, or the system refused a resource.
        case cannotListen
    }

    /// Which reason it is.
    public var reason: Reason
    /// The problem and its remedy, for a person, in one line.
    public var message: String

    /// The message.
    public var description: String { message }
}

extension NotificationServerError {
    static func invalid(_ message: String) -> Self {
        Self(reason: .invalidConfiguration, message: message)
    }

    init(_ error: any Error) {
        let reason: Reason =
            switch error {
            case StoreError.inUse: .directoryInUse
            case let error as StoreError where error.isDamage: .storeDamaged
            case StoreError.failed: .storeFailed
            case is ServerError: .cannotListen
            default: .cannotOpenStore
            }
        self.init(reason: reason, message: "\(error)")
    }
}
