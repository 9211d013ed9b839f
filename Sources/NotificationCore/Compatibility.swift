/// Old side effects of Apple's system that a server may be told to have.
package struct Compatibility: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A badge that is set to 0 clears the app's delivered list too (B-5, D-17).
    package static let badgeZeroClearsDelivered = Compatibility(rawValue: 1)

    /// Whether the app clears its delivered list by setting its badge to `count`.
    package func clearsDelivered(bySettingBadgeTo count: Int64) -> Bool {
        contains(.badgeZeroClearsDelivered) && count == 0
    }

    /// Whether a delivery clears what was delivered before it.
    ///
    /// - Parameters:
    ///   - content: What is delivered.
    ///   - options: The effects of the delivery; without ``PresentationOptions/badge`` it sets no
    ///     badge.
    /// - Returns: Whether the earlier deliveries leave the list; the new delivery's own entry
    ///   stays.
    package func clearsDelivered(
        byDelivering content: ContentHead,
        with options: PresentationOptions
    ) -> Bool {
        contains(.badgeZeroClearsDelivered) && options.contains(.badge)
            && content.badge == 0 && content.badgeMode == .set
    }
}
