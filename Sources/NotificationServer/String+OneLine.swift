extension String {
    /// The text on one line and without control characters.
    ///
    /// Any app can write a notification; its text must not move the cursor or change the colours of
    /// the terminal.
    package var onOneLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: " "
                    default: scalar
                    }
                }
            )
        )
    }
}
