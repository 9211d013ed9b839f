/// Why bytes are not the rules of a time zone.
public enum ZoneRulesError: Error, Hashable, Sendable {
    /// They do not begin as a TZif file does.
    case notTZif
    /// The file has no 64-bit part: it is of version 1.
    case versionUnsupported
    /// They end before the file does.
    case truncated
    /// The file counts leap seconds, as those under `right/` do; ``WallInstant`` does not.
    case leapSecondsUnsupported
    /// A number in the file, which is named, is not one that it can have.
    case invalid(String)
    /// The rule for the time after the last change is not a POSIX TZ string.
    case footerInvalid
}
