internal import NotificationProtocol
internal import SwiftProtobuf

/// What the person wants of the server, or of the program.
enum CenterIntent: Equatable, Sendable {
    /// To tap a notification or to press one of its buttons.
    case respond(Belfry_V1_NotificationRef, Belfry_V1_RespondRequest.OneOf_Act)
    /// To dismiss one, a group or all.
    case dismiss(Belfry_V1_DismissRequest.OneOf_Target, Belfry_V1_DismissKind)
    /// To answer an app that asks for permission.
    case answer(prompt: String, Belfry_V1_PromptAnswer)
    /// To lock or to unlock the device.
    case lock(Bool)
    /// To leave.
    case quit
}
