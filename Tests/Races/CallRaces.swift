internal import BelfryGRPC
internal import BelfryLocking
internal import NotificationCore
internal import TestSupport

/// The shim: calls of each shape from many tasks, cancelled and late ones, and a stop among them.
enum CallRaces {
    enum Transport: CaseIterable { case unix, tcp }

    private static let callers = 6
    private static let rounds = 60
    private static let unary = "/races.Calls/Unary"
    private static let count = "/races.Calls/Count"
    private static let each = "/races.Calls/Each"

    static func run(over transport: Transport) async throws {
        let directory = try ScratchDirectory()
        let listener: Server.Listener =
            switch transport {
            case .unix: .unix(path: directory.path + "/socket")
            case .tcp: .tcp(host: "127.0.0.1", port: 0)
            }
        let server = try Server(router: router, options: Server.Options(listeners: [listener]))
        server.start()
        let channel = Channel(target: server.boundListeners[0].description)
        await withTaskGroup { group in
            for caller in 0..<callers {
                group.addTask {
                    for round in 0..<rounds { await call(channel, caller + round) }
                }
            }
        }
        await withTaskGroup { group in
            for caller in 0..<callers {
                group.addTask {
                    for round in 0..<rounds { await call(channel, caller + round) }
                }
            }
            group.addTask { server.stop(within: .seconds(5)) }
        }
        channel.close()
    }

    private static var router: Router {
        var router = Router()
        router.unary(unary) { message, call in call.finish([UInt8](message)) }
        router.serverStream(count) { _, stream in Counter(stream) }
        router.bidirectional(each) { Repeater($0) }
        return router
    }

    /// Makes one call; its outcome depends on the others, and on the stop.
    private static func call(_ channel: Channel, _ number: Int) async {
        switch number % 5 {
        case 0: _ = try? await channel.unary(unary, [1, 2, 3])
        case 1: _ = try? await channel.unary(unary, [1], timeout: .microseconds(300))
        case 2:
            let stream = channel.stream(count)
            try? await stream.send([])
            await stream.finishSending()
            while (try? await stream.next()) != nil {}
        case 3:
            let stream = channel.stream(count)
            try? await stream.send([])
            await stream.finishSending()
            _ = try? await stream.next()
            stream.cancel()
        default:
            let stream = channel.stream(each)
            for byte in 0..<3 as Range<UInt8> {
                try? await stream.send([byte])
                _ = try? await stream.next()
            }
            await stream.finishSending()
            _ = try? await stream.next()
        }
    }
}

/// Sends ten messages, as a thread of the store would.
private final class Counter: ServerStreamDelegate {
    private let stream: ServerStream
    private let left = Guarded(10)

    init(_ stream: ServerStream) {
        self.stream = stream
        sent()
    }

    func sent() {
        let isLast = left.withLock { left in
            left -= 1
            return left < 0
        }
        Task { [stream] in if isLast { stream.finish(.ok) } else { stream.send([1]) } }
    }

    func received(_ message: RawSpan) {}
    func receivedEnd() {}
    func ended(cancelled: Bool) {}
}

/// Answers each message with itself, and reads the next one when that is on its way.
private final class Repeater: ServerStreamDelegate {
    private let stream: ServerStream

    init(_ stream: ServerStream) { self.stream = stream }

    func received(_ message: RawSpan) {
        stream.pauseReading()
        let answer = [UInt8](message)
        Task { [stream] in stream.send(answer) }
    }

    func sent() { stream.resumeReading() }
    func receivedEnd() { stream.finish(.ok) }
    func ended(cancelled: Bool) {}
}
