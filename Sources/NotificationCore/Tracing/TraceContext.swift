/// The W3C trace context of the call that scheduled something, kept until it fires (W-24).
package struct TraceContext: Hashable, Sendable {
    /// The trace; never 0.
    package let trace: UInt128
    /// The caller's span; never 0.
    package let span: UInt64
    /// The flags, of which only those of ``knownFlags`` are kept.
    package let flags: UInt8
    /// The members of `tracestate`, at most ``TraceState/byteCount`` bytes; empty is none.
    package let state: String

    /// Sampled, and a random trace-id: the others have no meaning yet, and are passed on as zeros.
    private static let knownFlags: UInt8 = 0x03
    /// Bytes of a `traceparent` of version 00.
    private static let parentByteCount = 55
    /// A later version may be longer, though not without end.
    private static let longestParentByteCount = 512

    /// Makes a context of what a row keeps; nil where a number is 0, which no context has.
    package init?(trace: UInt128, span: UInt64, flags: UInt8, state: String) {
        guard trace != 0, span != 0 else { return nil }
        self.trace = trace
        self.span = span
        self.flags = flags & Self.knownFlags
        self.state = state
    }

    /// Reads `traceparent` and `tracestate`.
    ///
    /// Of a later version than 00 the beginning is read, which the recommendation keeps as it is.
    ///
    /// - Parameters:
    ///   - parent: The value of `traceparent`; nil is the result where it is malformed.
    ///   - state: The value of `tracestate`, which counts as none where it is malformed.
    package init?(parent: String, state: String = "") {
        // Check the length first, since the text comes from outside.
        let count = parent.utf8.count
        guard (Self.parentByteCount...Self.longestParentByteCount).contains(count) else {
            return nil
        }
        let bytes = Array(parent.utf8)
        let dash = UInt8(ascii: "-")
        guard [2, 35, 52].allSatisfy({ bytes[$0] == dash }),
            let version: UInt8 = Self.number(bytes[0..<2]), version != .max,
            count == Self.parentByteCount || version > 0 && bytes[Self.parentByteCount] == dash,
            let trace: UInt128 = Self.number(bytes[3..<35]),
            let span: UInt64 = Self.number(bytes[36..<52]),
            let flags: UInt8 = Self.number(bytes[53..<55])
        else { return nil }
        self.init(trace: trace, span: span, flags: flags, state: TraceState.kept(state))
    }

    /// The context as the value of a `traceparent` of version 00.
    package var parent: String {
        "00-\(Self.digits(trace))-\(Self.digits(span))-\(Self.digits(flags))"
    }

    /// How many bytes the context takes in a message, about.
    package var byteCount: Int { Self.parentByteCount + state.utf8.count }

    /// Reads hexadecimal digits, which are as many as the number has; capitals are none.
    private static func number<Number: FixedWidthInteger>(_ digits: ArraySlice<UInt8>) -> Number? {
        var number: Number = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                number = number << 4 | Number(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                number = number << 4 | Number(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }

    private static func digits(_ number: some FixedWidthInteger) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: number.bitWidth / 4 - digits.utf8.count) + digits
    }
}
