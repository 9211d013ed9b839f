/// The types of push (§21.3); the numbers are the wire's.
package enum PushType: UInt8, Hashable, Sendable, CaseIterable {
    /// Shows something.
    case alert = 1
    /// Wakes the app without showing anything.
    case background = 2
    /// A type that is taken, and has no effect on a device, like those after it.
    case location = 3
    /// Calls.
    case voip = 4
    /// Faces of watches.
    case complication = 5
    /// Changed files.
    case fileProvider = 6
    /// The management of devices.
    case mdm = 7
    case liveActivity = 8
    /// Walkie-talkies.
    case pushToTalk = 9
    case widgets = 10
    case controls = 11

    /// Whether the type has no effect on a device.
    package var isWithoutEffect: Bool { self > .background }

    /// The largest payload, in bytes.
    package var payloadBytes: Int {
        self == .voip ? Limits.callPayloadBytes : Limits.payloadBytes
    }

    /// The end of the topic behind the app's identifier; nil where it may be any.
    var topicEnding: String? {
        switch self {
        case .alert, .background: ""
        case .location: ".location-query"
        case .voip: ".voip"
        case .complication: ".complication"
        case .fileProvider: ".pushkit.fileprovider"
        case .mdm: nil
        case .liveActivity: ".push-type.liveactivity"
        case .pushToTalk: ".voip-ptt"
        case .widgets: ".push-type.widgets"
        case .controls: ".push-type.controls"
        }
    }
}

extension PushType: Comparable {
    /// Whether a type has a smaller number.
    package static func < (one: PushType, other: PushType) -> Bool {
        one.rawValue < other.rawValue
    }
}

/// The result of an app's work on a push in the background (BG-2); the numbers are stored and are
/// the wire's.
package enum BackgroundFetchResult: UInt8, Hashable, Sendable, CaseIterable {
    case newData = 0
    case noData = 1
    /// It did not work.
    case failed = 2
}

/// How a push that the app was to work on ended; the numbers are stored and are the wire's.
package enum BackgroundPushEnd: UInt8, Hashable, Sendable, CaseIterable {
    /// The app found something new.
    case newData = 1
    /// The app found nothing new.
    case noData = 2
    /// The app could not work on it.
    case failed = 3
    /// The app did not answer in time.
    case timedOut = 4
    /// The app could not be asked before the push expired.
    case expired = 5
    /// A newer push took its place.
    case replaced = 6

    /// The end by the app's answer.
    package init(_ result: BackgroundFetchResult) {
        self =
            switch result {
            case .newData: .newData
            case .noData: .noData
            case .failed: .failed
            }
    }
}
