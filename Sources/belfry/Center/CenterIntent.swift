internal import NotificationProtocol
internal import SwiftProtobuf

/// An act of the person, for the server or for the program.
enum CenterIntent: Equatable, Sendable {
    /// To tap a notification or to press one of its buttons.
    case respond(Belfry_V1_NotificationRef, Belfry_V1_RespondRequest.OneOf_Act)
    /// To open a notification for a closer look.
    case open(Belfry_V1_NotificationRef)
    /// To act on the open notification, by the name of its presentation.
    case act(presentation: String, Belfry_V1_RespondRequest.OneOf_Act)
    /// To close the open notification, by the name of its presentation.
    case close(presentation: String)
    /// To swipe away the banner of a notification, which stays in the list.
    case swipeAway(Belfry_V1_NotificationRef)
    /// To dismiss notifications: those that the person saw, and none that comes meanwhile.
    case dismiss([Belfry_V1_NotificationRef])
    /// To snooze a notification for a number of seconds.
    case snooze(Belfry_V1_NotificationRef, seconds: Int64)
    /// To answer an app's permission prompt.
    case answer(prompt: String, Belfry_V1_PromptAnswer)
    /// To change a setting.
    case set(SettingsChange)
    /// To lock or to unlock the device.
    case lock(Bool)
    /// To leave the program.
    case quit
}
