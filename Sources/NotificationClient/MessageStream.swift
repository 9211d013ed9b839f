internal import BelfryGRPC
internal import SwiftProtobuf

/// The messages of a call that streams, each decoded.
///
/// The call is made when the first message is asked for.
struct MessageStream<Request: Message, Response: Message> {
    private let path: String
    private let request: Request
    private let caller: Caller
    private var stream: ClientStream?

    init(_ path: String, _ request: Request, of response: Response.Type, caller: Caller) {
        self.path = path
        self.request = request
        self.caller = caller
    }

    /// Gives the next message, or `nil` when the server closed the stream with OK.
    ///
    /// - Throws: ``ClientError``, with `CANCELLED` when the task was cancelled.
    mutating func next() async throws(ClientError) -> Response? {
        let stream: ClientStream
        if let opened = self.stream {
            stream = opened
        } else {
            stream = try await caller.open(path, request)
            self.stream = stream
        }
        guard let bytes = try await stream.nextMessage() else { return nil }
        return try decode(bytes)
    }
}
