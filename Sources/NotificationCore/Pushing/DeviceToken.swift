/// Names an app on a device to providers (REG-3): random bytes, which say nothing themselves.
package struct DeviceToken: Hashable, Sendable {
    package static let byteCount = 32

    package let bytes: [UInt8]

    package static func random() -> DeviceToken {
        DeviceToken((0..<byteCount).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// The token with the given bytes; nil where there are more or fewer than a token has.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(bytes)
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a token: two hexadecimal digits for each byte, in capitals or not; nil for any other
    /// text.
    package init?(text: String) {
        // Check the length first: the text of the token comes from outside.
        guard text.utf8.count == 2 * Self.byteCount else { return nil }
        let nibbles = text.utf8.compactMap(Self.nibble)
        guard nibbles.count == 2 * Self.byteCount else { return nil }
        bytes = stride(from: 0, to: nibbles.count, by: 2).map {
            nibbles[$0] << 4 | nibbles[$0 + 1]
        }
    }

    /// The token in lowercase hexadecimal digits, as apps and providers know it.
    package var text: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self
        )
    }

    private static func nibble(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// Why a token ended; the numbers are stored and are the wire's.
package enum TokenEnd: UInt8, Hashable, Sendable, CaseIterable {
    /// Another token took its place.
    case expired = 1
    /// The app is not there any more, or receives no pushes.
    case unregistered = 2
}

extension Refusal {
    /// Refuses a token that was never issued, or ended long ago.
    ///
    /// `kind` is ``Kind/notFound`` where the token itself is what the command is about.
    package static func badDeviceToken(_ kind: Kind = .invalidArgument) -> Refusal {
        Refusal(
            kind,
            reason: .badDeviceToken,
            message: "was never issued, or ended long ago",
            fields: [WrongField([.token], "is no token of this server")]
        )
    }

    package static func tokenEnded(_ end: TokenEnd, at date: WallInstant) -> Refusal {
        Refusal(
            .notFound,
            reason: end == .expired ? .expiredToken : .unregistered,
            message: end == .expired
                ? "another token took its place: forget this one"
                : "the app receives no pushes on this device any more: forget this token",
            fields: [WrongField([.token], "has ended")],
            facts: [.timestamp: "\(date.nanoseconds / 1_000_000)"]
        )
    }

    /// Refuses a token of another app.
    package static let tokenOfOtherApp = Refusal.invalid(
        [.token],
        "is of another app",
        reason: .deviceTokenNotForTopic
    )

    /// Refuses a topic of another app than the one that is pushed to.
    package static let topicOfOtherApp = Refusal.invalid(
        [.headers, .topic],
        "is of another app",
        reason: .deviceTokenNotForTopic
    )

    /// Refuses a command that names no device.
    package static let tokenMissing = Refusal.invalid(
        [.token],
        "name the device by its token",
        reason: .missingDeviceToken
    )

    /// Refuses an app that may not register for pushes (REG-1).
    package static func pushNotEntitled(_ entitled: PushEnvironment?) -> Refusal {
        Refusal(
            .failedPrecondition,
            reason: .pushNotEntitled,
            message: entitled.map { "the app is registered for pushes of \($0) only" }
                ?? "the app is registered without an entitlement for pushes",
            fields: [WrongField([.environment], "is not the one of the app's entitlement")]
        )
    }
}
