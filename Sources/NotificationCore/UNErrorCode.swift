/// The errors that Apple numbered, in its domain ``domain`` (§2.9).
package enum UNErrorCode: Int, Hashable, Sendable, CaseIterable {
    /// The app may not notify.
    case notificationsNotAllowed = 1
    /// An attachment is not a readable file.
    case attachmentInvalidURL = 100
    /// An attachment's type is unsupported or unknown.
    case attachmentUnrecognizedType = 101
    /// An attachment is too large.
    case attachmentInvalidFileSize = 102
    case attachmentNotInDataStore = 103
    /// An attachment could not be taken over into the store.
    case attachmentMoveIntoDataStoreFailed = 104
    /// An attachment's file is damaged.
    case attachmentCorrupt = 105
    case notificationInvalidNoDate = 1400
    /// The content has nothing that a person could perceive.
    case notificationInvalidNoContent = 1401
    /// The provider of content is of a type that is not allowed.
    case contentProvidingObjectNotAllowed = 1500
    case contentProvidingInvalid = 1501
    /// A badge count is not acceptable.
    case badgeInputInvalid = 1600

    /// Apple's name for the domain of the numbers (§2.12).
    package static let domain = "UNErrorDomain"

    /// The kind of refusal that stands for the error on the wire.
    package var kind: Refusal.Kind {
        switch self {
        case .notificationsNotAllowed: .permissionDenied
        case .attachmentNotInDataStore: .notFound
        case .attachmentMoveIntoDataStoreFailed: .internalError
        case .attachmentInvalidURL, .attachmentUnrecognizedType, .attachmentInvalidFileSize,
            .attachmentCorrupt, .notificationInvalidNoDate, .notificationInvalidNoContent,
            .contentProvidingObjectNotAllowed, .contentProvidingInvalid, .badgeInputInvalid:
            .invalidArgument
        }
    }

    /// The reason that programs read.
    package var reason: Reason {
        switch self {
        case .notificationsNotAllowed: .notificationsNotAllowed
        case .attachmentInvalidURL: .attachmentInvalidURL
        case .attachmentUnrecognizedType: .attachmentUnrecognizedType
        case .attachmentInvalidFileSize: .attachmentInvalidFileSize
        case .attachmentNotInDataStore: .attachmentNotInDataStore
        case .attachmentMoveIntoDataStoreFailed: .attachmentMoveIntoDataStoreFailed
        case .attachmentCorrupt: .attachmentCorrupt
        case .notificationInvalidNoDate: .notificationInvalidNoDate
        case .notificationInvalidNoContent: .notificationInvalidNoContent
        case .contentProvidingObjectNotAllowed: .contentProvidingObjectNotAllowed
        case .contentProvidingInvalid: .contentProvidingInvalid
        case .badgeInputInvalid: .badgeInputInvalid
        }
    }
}

extension Refusal {
    /// The number in `UNErrorDomain` where Apple has one (§2.9).
    package var unErrorCode: Int? {
        UNErrorCode.allCases.first { $0.reason == reason }?.rawValue
    }

    /// Refuses a request because of a wrong field, with Apple's number for the error.
    ///
    /// `code` is Apple's error; it decides the kind and the reason. `problem` is what is wrong with
    /// it.
    package init(_ code: UNErrorCode, _ path: FieldPath, _ problem: String) {
        self.init(
            code.kind,
            reason: code.reason,
            message: problem,
            fields: [WrongField(path, problem)]
        )
    }
}
