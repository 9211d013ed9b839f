extension String {
    /// The text on one line and without control characters.
    ///
    /// The joiner and the non-joiner stay: with them the letters of some scripts are written, and
    /// pictures are put together; they move nothing.
    /// Any app can write a notification; its text must not move the cursor or change the colours of
    /// the terminal.
    package var onOneLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    if scalar == "\u{200C}" || scalar == "\u{200D}" { return scalar }
                    return switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: " "
                    default: scalar
                    }
                }
            )
        )
    }
}
