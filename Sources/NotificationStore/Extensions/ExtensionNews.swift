package import NotificationCore

/// What a durable batch has for the extensions of one app.
package struct ExtensionNews: Sendable {
    /// The newest question; 0 where no question was opened.
    package internal(set) var newest: CallbackNumber = 0
    /// The questions that ended.
    package internal(set) var ended: [CallbackEnd] = []
    /// The questions whose deadline is near (NSE-3).
    package internal(set) var expiring: [CallbackNumber] = []
    /// What its content extensions are told of open notifications.
    package internal(set) var contents: [ContentNews] = []
}
