internal import BelfryGRPC
internal import Testing

@Suite("Streams that are cancelled, and streams whose connection is lost")
struct CutTests {
    /// How a client leaves a stream that is open.
    enum Leave: CaseIterable, Sendable {
        case cancels, closes
    }

    @Test(
        "A lost connection is told from a cancellation",
        arguments: Leave.allCases,
        Transport.allCases
    )
    func isCut(leave: Leave, transport: Transport) async throws {
        let (ends, ended) = AsyncStream<Bool>.makeStream()
        let (opens, opened) = AsyncStream<Void>.makeStream()
        var router = Router()
        router.serverStream("/test.Stream/Open") { _, stream in
            opened.yield()
            return CutRecorder(stream, ended)
        }
        let test = try TestServer(router, on: transport)
        defer { test.stop() }
        // Another connection that lives on must not hide the lost one, nor be taken for it.
        let other = RawConnection(to: test.server.boundListeners[0])
        var connection = RawConnection(to: test.server.boundListeners[0])
        let request = RawRequest(path: "/test.Stream/Open", body: [0, 0, 0, 0, 0])
        connection?.write(request.bytes)
        var arrivals = opens.makeAsyncIterator()
        await arrivals.next()
        switch leave {
        case .cancels: connection?.write(RawRequest.reset)
        case .closes: connection = nil
        }
        var results = ends.makeAsyncIterator()
        #expect(await results.next() == (leave == .closes))
        #expect((connection == nil) == (leave == .closes))
        #expect(other != nil)
    }
}

/// A delegate that asks at the end whether the connection was lost.
private final class CutRecorder: ServerStreamDelegate {
    private let stream: ServerStream
    private let ended: AsyncStream<Bool>.Continuation

    init(_ stream: ServerStream, _ ended: AsyncStream<Bool>.Continuation) {
        self.stream = stream
        self.ended = ended
    }

    func received(_ message: RawSpan) {}
    func receivedEnd() {}
    func sent() {}

    func ended(cancelled: Bool) { ended.yield(cancelled && stream.isCut) }
}
