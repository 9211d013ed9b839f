internal import CBelfryGRPC

// Conversions between Swift's bytes and the shim's borrowed bytes. Borrowed bytes are valid only
// during the call of `body`.

extension Array where Element == UInt8 {
    /// Lends the elements to C.
    func withBytes<Result>(_ body: (cgrpc_bytes) -> Result) -> Result {
        unsafe withUnsafeBytes { buffer in
            unsafe body(cgrpc_bytes(base: buffer.baseAddress, count: buffer.count))
        }
    }

    /// Copies the bytes that C lends.
    init(_ bytes: cgrpc_bytes) {
        unsafe self.init(UnsafeRawBufferPointer(start: bytes.base, count: bytes.count))
    }

    /// Copies a message that is lent for the time of a callback.
    package init(_ span: RawSpan) {
        self = unsafe span.withUnsafeBytes { unsafe Array($0) }
    }
}

extension String {
    /// Lends the UTF-8 bytes to C.
    func withBytes<Result>(_ body: (cgrpc_bytes) -> Result) -> Result {
        var text = self
        return text.withUTF8 { buffer in
            unsafe body(cgrpc_bytes(base: buffer.baseAddress, count: buffer.count))
        }
    }

    /// Copies bytes that C lends; bytes that are not UTF-8 are repaired.
    init(_ bytes: cgrpc_bytes) {
        self = unsafe String(
            decoding: UnsafeRawBufferPointer(start: bytes.base, count: bytes.count),
            as: UTF8.self
        )
    }
}

extension cgrpc_bytes {
    /// Lends the bytes as a span.
    func withSpan<Result>(_ body: (RawSpan) -> Result) -> Result {
        unsafe body(UnsafeRawBufferPointer(start: base, count: count).bytes)
    }
}

extension Status {
    /// Lends the status to C.
    func withCStatus(_ body: (inout cgrpc_status) -> Void) {
        unsafe message.withBytes { message in
            unsafe detailBytes.withBytes { details in
                var status = unsafe cgrpc_status(
                    code: code.rawValue,
                    message: message,
                    details: details
                )
                unsafe body(&status)
            }
        }
    }

    /// Copies a status that C lends.
    init(_ status: cgrpc_status) {
        unsafe self.init(
            code: StatusCode(rawValue: status.code) ?? .unknown,
            message: String(status.message),
            detailBytes: [UInt8](status.details)
        )
    }
}

extension Duration {
    /// The whole nanoseconds, or the nearest that an `Int64` holds.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !carry else { return seconds < 0 ? .min : .max }
        return sum
    }
}
