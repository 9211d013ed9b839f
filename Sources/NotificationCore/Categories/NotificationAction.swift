/// How an action behaves (semantics.md 2.6); the bits are Apple's.
public struct ActionOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Makes a set from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The device must be unlocked first.
    public static let authenticationRequired = ActionOptions(rawValue: 1)
    /// It is highlighted as destructive.
    public static let destructive = ActionOptions(rawValue: 2)
    /// The app comes to the front.
    public static let foreground = ActionOptions(rawValue: 4)
}

/// What a text action asks for (semantics.md 3.6).
public struct TextInput: Hashable, Sendable {
    /// The title of the button that sends the text.
    public var buttonTitle: String
    /// What shows while nothing is typed.
    public var placeholder: String

    /// Makes the input of a text action.
    public init(buttonTitle: String = "", placeholder: String = "") {
        self.buttonTitle = buttonTitle
        self.placeholder = placeholder
    }
}

/// A button of a notification (semantics.md 3.6).
public struct NotificationAction: Hashable, Sendable {
    /// Its key among all of the app's actions.
    public var identifier: String
    /// The button's text.
    public var title: String
    /// How it behaves.
    public var options: ActionOptions
    /// What it asks to be typed; absent for a plain button.
    public var textInput: TextInput?
    /// The name of its image; empty is none.
    public var icon: String

    /// Makes an action.
    public init(
        identifier: String,
        title: String,
        options: ActionOptions = [],
        textInput: TextInput? = nil,
        icon: String = ""
    ) {
        self.identifier = identifier
        self.title = title
        self.options = options
        self.textInput = textInput
        self.icon = icon
    }
}
