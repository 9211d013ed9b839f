internal import BelfryGRPC
internal import Testing

@Suite("Requests that no gRPC client sends")
struct FrameTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: [UInt8]
        let status: StatusCode
    }

    static let cases = [
        Case(
            testDescription: "one whole message",
            body: [0, 0, 0, 0, 2, 7, 8],
            status: .ok
        ),
        Case(testDescription: "no message", body: [], status: .invalidArgument),
        Case(
            testDescription: "a message cut short",
            body: [0, 0, 0, 0, 5, 7, 8],
            status: .invalidArgument
        ),
        Case(testDescription: "a cut length", body: [0, 0, 0], status: .invalidArgument),
        Case(
            testDescription: "two messages",
            body: [0, 0, 0, 0, 1, 7, 0, 0, 0, 0, 1, 8],
            status: .invalidArgument
        ),
        Case(
            testDescription: "a cut message with a length above the limit",
            body: [0, 0x7F, 0, 0, 0, 1],
            status: .invalidArgument
        ),
    ]

    @Test("A body is answered by what it holds", arguments: cases, Transport.allCases)
    func body(_ example: Case, transport: Transport) throws {
        let test = try TestServer(Echo.router(), on: transport)
        defer { test.stop() }
        let request = RawRequest(body: example.body)
        #expect(request.status(from: test.server.boundListeners[0]) == Int(example.status.rawValue))
    }

    /// gRPC 1.51 reports a frame of an unknown kind to nobody and gives an empty message in its
    /// place, and it takes any content type.
    ///
    /// So none of the bytes may reach a handler.
    @Test(
        "A body that is not made of frames gives a handler no bytes",
        arguments: [[9, 0, 0, 0, 1, 7], Array(#"{"hello": 1}"#.utf8)] as [[UInt8]]
    )
    func unframed(body: [UInt8]) throws {
        var router = Router()
        router.unary("/test.Frame/Empty") { message, call in
            let refusal = Status(code: .outOfRange, message: "empty")
            guard message.byteCount > 0 else { return call.finish(refusal) }
            call.finish([])
        }
        let test = try TestServer(router)
        defer { test.stop() }
        let request = RawRequest(
            path: "/test.Frame/Empty",
            contentType: "application/json",
            body: body
        )
        #expect(
            request.status(from: test.server.boundListeners[0])
                == Int(StatusCode.outOfRange.rawValue)
        )
    }
}
