internal import BelfryGRPC
internal import BelfryLocking

/// Methods of each shape for the tests to call.
enum Echo {
    static let unary = "/test.Echo/Unary"
    static let countTo = "/test.Echo/CountTo"
    static let concatenate = "/test.Echo/Concatenate"
    static let each = "/test.Echo/Each"
    static let methods = [unary, countTo, concatenate, each]

    /// A router with one method of each shape.
    static func router() -> Router {
        var router = Router()
        router.unary(unary) { message, call in call.finish([UInt8](message)) }
        router.serverStream(countTo) { message, stream in
            Counter(stream, limit: message.byteCount)
        }
        router.clientStream(concatenate) { Concatenator($0) }
        router.bidirectional(each) { Repeater($0) }
        return router
    }
}

/// Sends the numbers from 1 to a limit, one byte each, and ends well.
final class Counter: ServerStreamDelegate {
    private let stream: ServerStream
    private let limit: Int
    private let count = Guarded(0)

    init(_ stream: ServerStream, limit: Int) {
        self.stream = stream
        self.limit = limit
        sent()
    }

    func sent() {
        let next = count.withLock { count -> Int? in
            guard count < limit else { return nil }
            count += 1
            return count
        }
        guard let next else { return stream.finish(.ok) }
        stream.send([UInt8(truncatingIfNeeded: next)])
    }

    func received(_ message: RawSpan) {}
    func receivedEnd() {}
    func ended(cancelled: Bool) {}
}

/// Answers all messages together when the client has sent its last.
final class Concatenator: ServerStreamDelegate {
    private let stream: ServerStream
    private let bytes = Guarded<[UInt8]>([])

    init(_ stream: ServerStream) { self.stream = stream }

    func received(_ message: RawSpan) {
        let message = [UInt8](message)
        bytes.withLock { $0 += message }
    }

    func receivedEnd() {
        stream.send(bytes.withLock { $0 })
        stream.finish(.ok)
    }

    func sent() {}
    func ended(cancelled: Bool) {}
}

/// Answers each message with itself, and reads the next one only when that answer is on its way.
final class Repeater: ServerStreamDelegate {
    private let stream: ServerStream

    init(_ stream: ServerStream) { self.stream = stream }

    func received(_ message: RawSpan) {
        stream.pauseReading()
        stream.send([UInt8](message))
    }

    func sent() { stream.resumeReading() }
    func receivedEnd() { stream.finish(.ok) }
    func ended(cancelled: Bool) {}
}
