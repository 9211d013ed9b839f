/// The rules for the summary of a group (D-7).
package enum SummaryRules: UInt8, Hashable, Sendable, CaseIterable {
    /// Counts and arguments of the notifications, in the category's words.
    case ios12 = 0
    /// Only the number of notifications (SUM-14).
    case ios15 = 1
}

extension NotificationGroup {
    /// Gives the text under a collapsed group, about all notifications but its lead (§15.2).
    ///
    /// `category` is the registered category that the lead names; nil where there is none.
    /// `arePreviewsHidden` says whether text is hidden, so that no name may show (SUM-12).
    /// `strings` are the category's texts in the person's languages (SUM-6).
    ///
    /// - Returns: The text; nil for a group of one.
    /// - Complexity: O(members + bytes of their arguments).
    package func summary(
        category: NotificationCategory?,
        arePreviewsHidden: Bool,
        rules: SummaryRules = .ios12,
        strings: LocalizedStrings = LocalizedStrings()
    ) -> String? {
        guard !hidden.isEmpty else { return nil }
        guard rules == .ios12 else { return Self.defaultSummary(count: UInt64(hidden.count)) }
        let count = hidden.reduce(into: UInt64(0)) { sum, notification in
            sum += UInt64(notification.content.summaryArgumentCount)
        }
        guard !arePreviewsHidden, let format = sharedFormat(of: category, count, strings) else {
            return Self.defaultSummary(count: count)
        }
        guard format.hasList else { return Self.line(format.filled(count: count, list: nil)) }
        guard let list = Self.joined(arguments) else { return Self.defaultSummary(count: count) }
        return Self.line(format.filled(count: count, list: list))
    }

    /// The format of the lead's category, if all hidden notifications have that category too
    /// (SUM-2, SUM-9).
    private func sharedFormat(
        of category: NotificationCategory?,
        _ count: UInt64,
        _ strings: LocalizedStrings
    ) -> CountFormat? {
        guard let category else { return nil }
        let isShared = members.allSatisfy { member in
            member.content.categoryIdentifier.isExactly(category.identifier)
        }
        guard isShared else { return nil }
        let format = strings.format(
            category.localizedSummaryFormat,
            else: category.summaryFormat,
            count: count
        )
        return format.isEmpty ? nil : CountFormat(format)
    }

    /// The distinct arguments of the hidden notifications, most recent first (SUM-5, SUM-7).
    ///
    /// Bytes decide whether two arguments are the same. There are at most as many as a line can
    /// show.
    private var arguments: [String] {
        var known: Set<ExactText> = []
        var byteCount = 0
        var arguments: [String] = []
        for notification in hidden where byteCount < Limits.summaryTextBytes {
            let argument = notification.content.summaryArgument
            guard !argument.isEmpty, known.insert(ExactText(argument)).inserted else { continue }
            arguments.append(argument)
            byteCount += argument.utf8.count
        }
        return arguments
    }

    /// Joins arguments as English does, without a serial comma (SUM-8); nil for no arguments.
    private static func joined(_ arguments: [String]) -> String? {
        guard let last = arguments.last else { return nil }
        guard arguments.count > 1 else { return last }
        return arguments.dropLast().joined(separator: ", ") + " and " + last
    }

    /// Cuts a summary to the bytes of one line, since each group of a page has a summary.
    private static func line(_ text: String) -> String {
        text.prefix(ofBytes: Limits.summaryTextBytes)
    }

    private static func defaultSummary(count: UInt64) -> String {
        count == 1 ? "1 more notification" : "\(count) more notifications"
    }
}
