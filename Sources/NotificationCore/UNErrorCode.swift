/// The errors that Apple numbered, in its domain ``domain`` (§2.9).
public enum UNErrorCode: Int, Hashable, Sendable, CaseIterable {
    /// The app may not notify.
    case notificationsNotAllowed = 1
    /// An attachment is not a readable file.
    case attachmentInvalidURL = 100
    /// An attachment's type is unsupported or unknown.
    case attachmentUnrecognizedType = 101
    /// An attachment is too large.
    case attachmentInvalidFileSize = 102
    /// An attachment is not in the store.
    case attachmentNotInDataStore = 103
    /// An attachment could not be taken over into the store.
    case attachmentMoveIntoDataStoreFailed = 104
    /// An attachment's file is damaged.
    case attachmentCorrupt = 105
    /// A date is missing.
    case notificationInvalidNoDate = 1400
    /// The content has nothing that a person could perceive.
    case notificationInvalidNoContent = 1401
    /// The provider of content is of a type that is not allowed.
    case contentProvidingObjectNotAllowed = 1500
    /// The provider of content is invalid.
    case contentProvidingInvalid = 1501
    /// A badge count is not acceptable.
    case badgeInputInvalid = 1600

    /// Apple's name for the domain of the numbers (§2.12).
    public static let domain = "UNErrorDomain"

    /// The kind of refusal that stands for the error on the wire.
    public var kind: Refusal.Kind {
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
    public var reason: String {
        switch self {
        case .notificationsNotAllowed: "NOTIFICATIONS_NOT_ALLOWED"
        case .attachmentInvalidURL: "ATTACHMENT_INVALID_URL"
        case .attachmentUnrecognizedType: "ATTACHMENT_UNRECOGNIZED_TYPE"
        case .attachmentInvalidFileSize: "ATTACHMENT_INVALID_FILE_SIZE"
        case .attachmentNotInDataStore: "ATTACHMENT_NOT_IN_DATA_STORE"
        case .attachmentMoveIntoDataStoreFailed: "ATTACHMENT_MOVE_INTO_DATA_STORE_FAILED"
        case .attachmentCorrupt: "ATTACHMENT_CORRUPT"
        case .notificationInvalidNoDate: "NOTIFICATION_INVALID_NO_DATE"
        case .notificationInvalidNoContent: "NOTIFICATION_INVALID_NO_CONTENT"
        case .contentProvidingObjectNotAllowed: "CONTENT_PROVIDING_OBJECT_NOT_ALLOWED"
        case .contentProvidingInvalid: "CONTENT_PROVIDING_INVALID"
        case .badgeInputInvalid: "BADGE_INPUT_INVALID"
        }
    }
}

extension Refusal {
    /// Refuses a request because of a wrong field, with Apple's number for the error.
    ///
    /// - Parameters:
    ///   - code: Apple's error; it decides the kind and the reason.
    ///   - path: The path of the field in the request.
    ///   - problem: What is wrong with it.
    public init(_ code: UNErrorCode, _ path: String, _ problem: String) {
        self.init(
            code.kind,
            reason: code.reason,
            message: "\(path): \(problem)",
            unErrorCode: code.rawValue,
            fields: [Field(path, problem)]
        )
    }
}
