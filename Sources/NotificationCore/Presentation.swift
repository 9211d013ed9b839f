/// The effects that a notification may have (§2.8); the bits are Apple's.
package struct PresentationOptions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Apply the badge number.
    package static let badge = PresentationOptions(rawValue: 1)
    package static let sound = PresentationOptions(rawValue: 2)
    /// Deprecated by Apple: list and banner.
    package static let alert = PresentationOptions(rawValue: 4)
    package static let list = PresentationOptions(rawValue: 8)
    package static let banner = PresentationOptions(rawValue: 16)
}

extension ContentHead {
    /// Gives the app's badge after a delivery that applies ``badge`` (B-1, B-6).
    package func badge(after current: Int32) -> Int32 {
        guard let badge else { return current }
        switch badgeMode {
        case .set: return badge
        case .increment:
            let (sum, overflow) = current.addingReportingOverflow(badge)
            return overflow ? .max : sum
        }
    }
}
