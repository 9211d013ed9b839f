internal import BelfryGRPC
internal import BelfryLocking
internal import Foundation

/// Methods of each shape for the tests to call.
enum Echo {
    static let unary = "/test.Echo/Unary"
    static let countTo = "/test.Echo/CountTo"
    static let concatenate = "/test.Echo/Concatenate"
    static let each = "/test.Echo/Each"
    static let inTurn = "/test.Echo/InTurn"
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
        router.bidirectional(inTurn) { OneByOne($0) }
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

/// Takes each message on a thread of its own, which lets the next one come while the first is still
/// being received; ends with OK only if no message comes before that.
final class OneByOne: ServerStreamDelegate {
    private let stream: ServerStream
    private let isBusy = Guarded(false)

    init(_ stream: ServerStream) { self.stream = stream }

    func received(_ message: RawSpan) {
        stream.pauseReading()
        let isEarly = isBusy.withLock { isBusy in
            defer { isBusy = true }
            return isBusy
        }
        if isEarly {
            return stream.finish(Status(code: .internalError, message: "a message came early"))
        }
        Thread.detachNewThread { [self] in
            // Real time: the next message comes in it, if it comes too early.
            Thread.sleep(forTimeInterval: 0.002)
            isBusy.withLock { $0 = false }
            stream.resumeReading()
        }
        // Return after the resumption now and then.
        if [UInt8](message).first.map({ $0 % 2 == 0 }) == true {
            Thread.sleep(forTimeInterval: 0.004)
        }
    }

    func sent() {}
    func receivedEnd() { stream.finish(.ok) }
    func ended(cancelled: Bool) {}
}
