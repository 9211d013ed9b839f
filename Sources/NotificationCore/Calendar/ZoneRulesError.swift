/// Why bytes are not the rules of a time zone.
package enum ZoneRulesError: Error, Hashable, Sendable {
    /// The bytes do not begin as a TZif file does.
    case notTZif
    /// The file has no 64-bit part: it is of version 1.
    case versionUnsupported
    /// The bytes end before the file is complete.
    case truncated
    /// The file counts leap seconds, as the files under `right/` do; ``WallInstant`` does not.
    case leapSecondsUnsupported
    /// The named number in the file has an impossible value.
    case invalid(String)
    /// The rule for the time after the last change is not a POSIX TZ string.
    case footerInvalid
}
