/// Whether a notification interrupts (FOC-4).
package enum DeliveryMode: UInt8, Hashable, Sendable, CaseIterable {
    /// The notification is presented now.
    case immediate = 0
    /// The notification is only listed, and its badge applies.
    case quiet = 1
    /// The notification is listed, and presented with the next summary (SSM-3, D-16).
    case heldForSummary = 2
}

/// Where the visual alert of a notification shows (DEL-1).
package enum VisualAlert: UInt8, Hashable, Sendable, CaseIterable {
    /// A banner from the top, which leaves by itself.
    case banner = 1
    /// An alert that the person has to close.
    case alert = 2
    case lockScreen = 3
}

/// How one notification is presented: the result of steps 6-10 of §8.
///
/// The bits of ``options`` agree with the rest: ``PresentationOptions/banner`` is set where there
/// is a visual alert, and ``PresentationOptions/sound`` where a sound plays.
package struct PresentationDecision: Hashable, Sendable {
    /// The level, lowered to what the person allows (INT-2).
    package var level: InterruptionLevel
    /// Whether the notification interrupts.
    package var mode: DeliveryMode
    /// The effects; ``PresentationOptions/alert`` is never among them.
    package var options: PresentationOptions = []
    /// Where the visual alert shows; absent without one.
    package var visualAlert: VisualAlert?
    /// The sound that plays; absent is silence.
    package var sound: PlayedSound?
    /// Whether the device vibrates instead of playing the sound, because of mute alone.
    package var vibrates = false
    /// Whether a display that is off turns on.
    package var wakesScreen = false
    /// Whether the app was asked and did not answer in time (D-14).
    package var hasTimedOut = false
    /// The name of the Focus that keeps the notification quiet; nil where none does (QH-2).
    package var silencingFocus: String?
}
