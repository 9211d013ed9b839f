/// A push whose payload is fetched (§23.3), as a device that it was sent to sees it.
package struct RichPush: Hashable, Sendable {
    /// Its number among the rich pushes of its app.
    package var number: RichPushNumber
    /// The text that the app may show of the rich push: `richMessage` of its announcement.
    package var message: String
    /// The payload's type, which the app understands.
    package var richType: String
    package var mediaType: String
    /// The payload's size in bytes.
    package var byteCount: Int
    package var createdAt: WallInstant
    /// When the device read the rich push; nil while it has not.
    package var readAt: WallInstant?

    package init(
        number: RichPushNumber,
        message: String,
        richType: String,
        mediaType: String,
        byteCount: Int,
        createdAt: WallInstant,
        readAt: WallInstant?
    ) {
        self.number = number
        self.message = message
        self.richType = richType
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.createdAt = createdAt
        self.readAt = readAt
    }

    /// The payload of the push that announces a rich push (AZ-10): the number as text, as the
    /// tutorial has it.
    package static func announcement(
        of number: RichPushNumber,
        message: String,
        richType: String
    ) -> String {
        """
        {"aps":{"content-available":1},"richId":"\(number)","richMessage":\
        \(quoted(message)),"richType":\(quoted(richType))}
        """
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension RichPush {
    /// Whether an answer to a rich push's notification marks it as read: the person opened it, or
    /// asked for more (AZ-10).
    package static func isRead(by action: String) -> Bool {
        ["richPushMore", NotificationAction.defaultIdentifier].contains { action == $0 }
    }

    /// The number of the rich push that a notification is of: the member `richId` of its user info,
    /// a text or a number; nil where it has none.
    ///
    /// `userInfo` is one JSON object, as ``NotificationRequest/validate()`` lets it pass.
    ///
    /// - Complexity: O(bytes).
    package static func numberNamed(in userInfo: String) -> RichPushNumber? {
        var rest = userInfo.utf8[...]
        var depth = 0
        var number: UInt64?
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let text = takeString(&rest)
                guard depth == 1, text.elementsEqual("richId".utf8), isKey(&rest) else { continue }
                skipSpace(&rest)
                let isText = rest.first == UInt8(ascii: "\"")
                let value = rest.dropFirst(isText ? 1 : 0)
                let digits = value.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                let end = value.dropFirst(digits.count).first
                let isWhole = isText == (end == UInt8(ascii: "\"")) && digits.count <= 20
                // A key that comes twice has its last value.
                number = isWhole ? UInt64(String(decoding: digits, as: UTF8.self)) : nil
            default: break
            }
        }
        return number.map { RichPushNumber(rawValue: $0) }
    }

    /// Takes a string whose first quotation mark is taken already.
    private static func takeString(_ rest: inout Substring.UTF8View) -> Substring.UTF8View {
        let start = rest
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\") { _ = rest.popFirst() }
            if byte == UInt8(ascii: "\"") { break }
        }
        return start[..<rest.startIndex].dropLast()
    }

    private static func skipSpace(_ rest: inout Substring.UTF8View) {
        while let byte = rest.first, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { rest.removeFirst() }
    }

    /// Whether a string that was taken is the key of a member.
    private static func isKey(_ rest: inout Substring.UTF8View) -> Bool {
        skipSpace(&rest)
        return rest.first == UInt8(ascii: ":") && rest.popFirst() != nil
    }
}
