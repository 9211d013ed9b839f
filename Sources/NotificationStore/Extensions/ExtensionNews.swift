package import NotificationCore

/// The news of a durable batch for the extensions of one app.
package struct ExtensionNews: Sendable {
    /// The newest question; 0 where no question was opened.
    package internal(set) var newest: CallbackNumber = 0
    /// The questions that ended.
    package internal(set) var ended: [CallbackEnd] = []
    /// The questions whose deadline is near (NSE-3).
    package internal(set) var expiring: [CallbackNumber] = []
    /// The news of open notifications for its content extensions.
    package internal(set) var contents: [ContentNews] = []
}
