internal import BelfryGRPC
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import NIOHTTP1

/// A request that is being answered, and its connection.
struct Exchange: Sendable {
    let request: Request
    let channel: any NIOCore.Channel
    /// Whether the connection has TLS up to this server.
    let isEncrypted: Bool
    let peer: Peer
    let connection: ConnectionIdentifier
    /// The origin of an allowed page, which is told that it may read the answer.
    let origin: String?
    let options: HTTPOptions
    /// The session of the person's page that sent the request; nil where that showed a token.
    var session: PageSessions.Identifier?

    /// Why a body could not be read.
    enum Problem: Error {
        /// It is longer than the server takes.
        case tooLong
        /// Its chunks are none.
        case malformed
        /// It did not arrive in time, or the connection was lost.
        case lost
    }

    /// How many bytes of a body that is too long are read and dropped: a client that still sends
    /// the body when the connection is closed may lose the answer.
    private static let droppedBytes = 16 << 20

    var path: String { String(request.uri.path) }
    var method: HTTPRequest.Method { request.method }

    func field(_ name: HTTPField.Name) -> String? { request.headers[name] }

    /// The first value of a name in the query; nil where the query has no such name.
    ///
    /// It is read as HTML's forms and `URLSearchParams` write it: a plus is a space. A part that is
    /// not percent-encoded UTF-8 stays as it is.
    func queryValue(_ name: String) -> String? {
        for pair in (request.uri.query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard Self.decoded(parts[0]).utf8.elementsEqual(name.utf8) else { continue }
            return parts.count > 1 ? Self.decoded(parts[1]) : ""
        }
        return nil
    }

    static func decoded(_ text: Substring) -> String {
        text.replacing("+", with: " ").removingPercentEncoding ?? String(text)
    }

    /// Makes a call of this request's client.
    ///
    /// `deadline` is when the client gives up.
    ///
    /// - Returns: The call, which nobody has admitted yet.
    func call(_ path: String, deadline: ContinuousClock.Instant? = nil) -> HTTPCall {
        let channel = channel
        return HTTPCall(
            HTTPCall.Facts(
                path: path,
                peer: peer,
                connection: connection,
                fields: request.headers,
                deadline: deadline
            )
        ) { channel.close(promise: nil) }
    }

    /// Reads the body, after telling a client that waits for it to be wanted.
    func body(continuing writer: borrowing ResponseWriter) async throws(Problem) -> [UInt8] {
        if field(.expect)?.lowercased() == "100-continue" {
            guard length <= options.maximumReceiveBytes else { throw .tooLong }
            do {
                try await writer.writeInformationalHead(HTTPResponse(status: .continue))
            } catch {
                throw .lost
            }
        }
        return try await body(request.body)
    }

    /// The length of the body by the request's header; 0 where it has none.
    private var length: Int { field(.contentLength).flatMap { Int($0) } ?? 0 }

    /// Reads a body within the limits of its length and its time.
    func body(_ body: RequestBody) async throws(Problem) -> [UInt8] {
        let most = options.maximumReceiveBytes + Self.droppedBytes
        guard length <= most else { throw .tooLong }
        let deadline = closes(after: options.receiveSeconds)
        defer { deadline.cancel() }
        var bytes: [UInt8] = []
        var count = 0
        do {
            for try await part in body {
                count += part.readableBytes
                guard count <= most else { throw Problem.tooLong }
                if count <= options.maximumReceiveBytes {
                    bytes += part.readableBytesView
                } else {
                    bytes = []
                }
            }
        } catch let problem as Problem {
            throw problem
        } catch is HTTPParserError {
            throw .malformed
        } catch {
            throw .lost
        }
        guard count <= options.maximumReceiveBytes else { throw .tooLong }
        return bytes
    }

    /// Writes a whole response.
    ///
    /// `fields` are further headers. `closes` says whether the connection is closed behind it,
    /// since the request's body was not read. `writer` is where the response goes.
    ///
    /// - Throws: Where the connection is to be closed, or was lost.
    func write(
        _ status: Int,
        _ bytes: [UInt8],
        type: String,
        fields: HTTPFields = [:],
        closes: Bool = false,
        to writer: consuming ResponseWriter
    ) async throws {
        var head = HTTPResponse(status: .init(code: status), headerFields: fields)
        // Describe nothing that has not changed: the client has it.
        if status != 304 {
            head.headerFields[.contentType] = type
            head.headerFields[.contentLength] = "\(bytes.count)"
        }
        // Let nobody store an answer, which is for this caller alone; the page's files say
        // otherwise.
        if fields[.cacheControl] == nil { head.headerFields[.cacheControl] = "no-store" }
        head.headerFields[.xContentTypeOptions] = "nosniff"
        let closes = closes || leavesBody
        if closes { head.headerFields[.connection] = "close" }
        // Tell how to authenticate: programs such as wget send a token only then. A browser would
        // ask the person for a name and a password.
        if status == 401, field(.belfrySession) == nil {
            head.headerFields[values: .wwwAuthenticate] = [
                #"Bearer realm="belfry""#, #"Basic realm="belfry", charset="UTF-8""#,
            ]
        }
        allow(&head.headerFields)
        let deadline = self.closes(after: options.sendSeconds)
        defer { deadline.cancel() }
        try await writer.write(
            response: head,
            body: method == .head
                ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
        if closes { throw ConnectionIsDone() }
    }

    /// Whether the request has a body that nobody reads, since its method needs none; waiting for
    /// its end could last for ever.
    private var leavesBody: Bool {
        [.get, .head, .options].contains(method) && hasBody
    }

    /// Whether the request has a body.
    var hasBody: Bool {
        field(.transferEncoding) != nil || field(.contentLength).map { $0 != "0" } == true
    }

    /// Lets an allowed page read a response.
    func allow(_ fields: inout HTTPFields) {
        guard let origin else { return }
        fields[.accessControlAllowOrigin] = origin
        fields[.vary] = "Origin"
    }

    /// Closes the connection after so many seconds, unless the result is cancelled.
    func closes(after seconds: Int64) -> Scheduled<Void> {
        let channel = channel
        return channel.eventLoop.scheduleTask(in: .seconds(seconds)) {
            channel.close(promise: nil)
        }
    }
}

/// Ends a connection after a response.
struct ConnectionIsDone: Error {}
