internal import BelfryGRPC
internal import Glibc

/// A plain socket, for what a well-behaved client never sends.
final class RawConnection: Sendable {
    private let descriptor: Int32

    /// Connects to where a server listens; nil if the system refuses.
    init?(to listener: Server.Listener) {
        switch listener {
        case .unix(let path), .inherited(_, let path): descriptor = RawConnection.connectUnix(path)
        case .tcp(_, let port), .tls(_, let port):
            descriptor = RawConnection.connectLoopback(port)
        }
        guard descriptor >= 0 else { return nil }
        // A read that waits this long has failed; no test depends on the length.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    }

    deinit { close(descriptor) }

    /// Writes all of `bytes`; bytes that the peer no longer takes are lost.
    func write(_ bytes: [UInt8]) {
        _ = unsafe bytes.withUnsafeBytes { buffer in
            unsafe send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Reads what there is, waiting for the first of it; empty when the peer has closed, nil when
    /// nothing came.
    func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
        }
        // A close with unread bytes resets the connection.
        if count < 0 { return errno == ECONNRESET ? [] : nil }
        return Array(bytes.prefix(count))
    }

    /// Whether gRPC greets this connection, which is how it begins to serve one.
    var isServed: Bool { read().map { !$0.isEmpty } ?? false }

    /// Whether the peer closes this connection without a word.
    var isRefused: Bool { read().map(\.isEmpty) ?? false }

    private static func connectUnix(_ path: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { field in
            unsafe field.copyBytes(from: path.utf8.prefix(field.count - 1))
        }
        return connect(AF_UNIX, &address)
    }

    private static func connectLoopback(_ port: UInt16) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return connect(AF_INET, &address)
    }

    private static func connect<Address>(_ family: Int32, _ address: inout Address) -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return -1 }
        let size = socklen_t(MemoryLayout<Address>.size)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe Glibc.connect(descriptor, address, size)
            }
        }
        guard result == 0 else {
            close(descriptor)
            return -1
        }
        return descriptor
    }
}

/// One request in HTTP/2 frames that say exactly what a test wants.
struct RawRequest {
    var path = Echo.unary
    var contentType = "application/grpc"
    /// The bytes of the body, in one DATA frame that ends the stream.
    var body: [UInt8]

    /// Sends it, and gives the gRPC status of the answer; nil if there is none.
    func status(from listener: Server.Listener) -> Int? {
        guard let connection = RawConnection(to: listener) else { return nil }
        connection.write(bytes)
        var answer: [UInt8] = []
        while true {
            guard let more = connection.read(), !more.isEmpty else { return nil }
            answer += more
            if let status = RawRequest.status(in: answer) { return status }
        }
    }

    /// Takes its stream back, and says no more of the connection.
    static let reset = frame(type: 3, flags: 0, stream: 1, [0, 0, 0, 8])

    /// A connection's settings on a stream, which end the connection.
    static let misplacedSettings = frame(type: 4, flags: 0, stream: 1, [])

    /// Begins a message, and says no more of it after so many bytes.
    static func unfinished(_ count: Int) -> [UInt8] {
        let message = [0, 0x7F, 0, 0, 0] + [UInt8](repeating: 7, count: count)
        let frames = stride(from: 0, to: message.count, by: 16_384).flatMap { start in
            frame(type: 0, flags: 0, stream: 1, Array(message[start...].prefix(16_384)))
        }
        return RawRequest(body: []).beginning + frames
    }

    /// The whole of it, with all that a connection begins with.
    var bytes: [UInt8] {
        beginning + RawRequest.frame(type: 0, flags: 1, stream: 1, body)
    }

    /// The preface of a connection, and the headers.
    private var beginning: [UInt8] {
        let settings = RawRequest.frame(type: 4, flags: 0, stream: 0, [])
        let pairs = [
            (":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "test"),
            ("content-type", contentType), ("te", "trailers"),
        ]
        let headers = RawRequest.frame(
            type: 1,
            flags: 4,
            stream: 1,
            pairs.flatMap { RawRequest.literal($0.0, $0.1) }
        )
        return Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + settings + headers
    }

    private static func frame(
        type: UInt8,
        flags: UInt8,
        stream: UInt8,
        _ payload: [UInt8]
    ) -> [UInt8] {
        let count = payload.count
        let length = [count >> 16, count >> 8, count].map { UInt8(truncatingIfNeeded: $0) }
        return length + [type, flags, 0, 0, 0, stream] + payload
    }

    /// A header field as an HPACK literal, neither indexed nor compressed.
    private static func literal(_ name: String, _ value: String) -> [UInt8] {
        [0, UInt8(name.utf8.count)] + Array(name.utf8)
            + [UInt8(value.utf8.count)] + Array(value.utf8)
    }

    /// Finds `grpc-status` and its value, which gRPC sends as plain literals the first time.
    private static func status(in answer: [UInt8]) -> Int? {
        let name = Array("grpc-status".utf8)
        guard let start = answer.firstRange(of: name)?.upperBound, start < answer.count else {
            return nil
        }
        let value = answer[(start + 1)...].prefix(Int(answer[start]))
        return Int(String(decoding: value, as: UTF8.self))
    }
}
