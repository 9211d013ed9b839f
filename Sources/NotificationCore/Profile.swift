/// Whose behaviour the server follows where there is a choice (semantics.md D-22).
///
/// The numbers are the wire's.
public enum Profile: UInt8, Hashable, Sendable, CaseIterable {
    /// Nothing is lost without a word.
    case server = 0
    /// As Apple's system does it, its limits and faults too.
    case ios = 1
}
