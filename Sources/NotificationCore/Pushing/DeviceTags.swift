/// The tags that a provider gives to a device, to push to all devices that have one (AZ-2, D-13).
package enum DeviceTags {
    /// Checks the tags that a command gives a device.
    ///
    /// - Parameter tags: The tags in any order; one that is named twice counts once.
    /// - Returns: Each tag once, in the order of their bytes.
    /// - Throws: `TAG_LIMIT` or `TAG_INVALID`.
    package static func checked(_ tags: [String]) throws(Refusal) -> [String] {
        // Refuse a longer list before it is read, even if it names the same tag again.
        guard tags.count <= Limits.tagsPerDevice else { throw tooMany }
        for (index, tag) in tags.enumerated() where !isTag(tag) {
            throw .invalid(
                .element(index, of: .tags),
                "is 1-\(Limits.tagBytes) of A-Z a-z 0-9 _ @ # . : -",
                reason: .tagInvalid
            )
        }
        var checked: [String] = []
        // Tags are ASCII, so that the order of texts is that of bytes.
        for tag in tags.sorted() where checked.last != tag { checked.append(tag) }
        return checked
    }

    package static let tooMany = Refusal.invalid(
        [.tags],
        "a device has at most \(Limits.tagsPerDevice)",
        reason: .tagLimit
    )

    /// Whether a text is a tag; case matters.
    package static func isTag(_ text: String) -> Bool {
        CenterName.isName(text, atMost: Limits.tagBytes, extra: "_@#.:-")
    }
}
