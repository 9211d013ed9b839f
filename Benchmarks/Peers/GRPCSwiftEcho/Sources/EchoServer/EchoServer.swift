internal import Foundation
internal import GRPCCore
internal import GRPCNIOTransportHTTP2

/// Serves `/bench.Echo/Call` of grpc-swift-2 on a unix socket or a TCP port until it is killed.
@main
enum EchoServer {
    static func main() async throws {
        guard let target = CommandLine.arguments.dropFirst().first else {
            FileHandle.standardError.write(Data("usage: EchoServer unix:PATH | PORT\n".utf8))
            exit(2)
        }
        let address: SocketAddress =
            target.hasPrefix("unix:")
            ? .unixDomainSocket(path: String(target.dropFirst(5)))
            : .ipv4(host: "127.0.0.1", port: Int(target) ?? 0)
        let server = GRPCServer(
            transport: .http2NIOPosix(address: address, transportSecurity: .plaintext),
            services: [EchoService()]
        )
        try await server.serve()
    }
}

/// Answers each call with its own bytes.
///
/// It has no message type, which would measure swift-protobuf as well.
private struct EchoService: RegistrableRPCService {
    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        router.registerHandler(
            forMethod: MethodDescriptor(fullyQualifiedService: "bench.Echo", method: "Call"),
            deserializer: BytesCoder(),
            serializer: BytesCoder()
        ) { request, _ in
            let request = try await ServerRequest(stream: request)
            return StreamingServerResponse(single: ServerResponse(message: request.message))
        }
    }
}

/// Takes bytes as they come.
private struct BytesCoder: MessageSerializer, MessageDeserializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Bytes {
        Bytes(message)
    }

    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> [UInt8] {
        bytes.withUnsafeBytes { [UInt8]($0) }
    }
}
