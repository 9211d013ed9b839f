package import Foundation
package import NotificationCore

extension WallInstant {
    /// The whole second of a date in the years 1970 to 2161; nil for others.
    ///
    /// A later clock could not be moved by the longest interval.
    package init?(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard seconds >= 0, let first = Int64(exactly: seconds) else { return nil }
        let (nanoseconds, overflow) = first.multipliedReportingOverflow(by: .nanosecondsPerSecond)
        guard !overflow, nanoseconds <= .max - Limits.intervalNanoseconds else { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}
