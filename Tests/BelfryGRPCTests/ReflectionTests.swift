internal import BelfryGRPC
internal import StandardServices
internal import SwiftProtobuf
internal import Testing

@Suite("Reflection", .serialized)
struct ReflectionTests {
    private static let paths = ["v1", "v1alpha"].map {
        "/grpc.reflection.\($0).ServerReflection/ServerReflectionInfo"
    }

    private typealias Request = Grpc_Reflection_V1_ServerReflectionRequest
    private typealias Response = Grpc_Reflection_V1_ServerReflectionResponse
    private typealias Answer = Response.OneOf_MessageResponse

    // ---- A descriptor set of two files ----

    private static let base = Google_Protobuf_FileDescriptorProto.with { file in
        file.name = "base.proto"
        file.package = "pkg"
        file.messageType = [
            .with { message in
                message.name = "Base"
                message.field = [.with { $0.name = "field" }]
                message.oneofDecl = [.with { $0.name = "choice" }]
                message.nestedType = [.with { $0.name = "Inner" }]
            }
        ]
        file.enumType = [
            .with { declaration in
                declaration.name = "Color"
                declaration.value = [.with { $0.name = "COLOR_RED" }]
            }
        ]
    }

    private static let main = Google_Protobuf_FileDescriptorProto.with { file in
        file.name = "main.proto"
        file.package = "pkg.v1"
        file.dependency = ["base.proto"]
        file.service = [
            .with { service in
                service.name = "Talker"
                service.method = [.with { $0.name = "Talk" }]
            }
        ]
        file.extension = ([100, 101] as [Int32]).map { number in
            .with { declaration in
                declaration.name = "extra_\(number)"
                declaration.extendee = ".pkg.Base"
                declaration.number = number
            }
        }
    }

    private static func router() throws -> Router {
        let set = Google_Protobuf_FileDescriptorSet.with { $0.file = [base, main] }
        var router = Router()
        let bytes: [UInt8] = try set.serializedBytes()
        router.addReflection { bytes }
        return router
    }

    // ---- Requests and answers ----

    private static func files(_ files: Google_Protobuf_FileDescriptorProto...) -> Answer {
        .fileDescriptorResponse(
            .with { $0.fileDescriptorProto = files.compactMap { try? $0.serializedBytes() } }
        )
    }

    private static func numbers(of type: String, _ numbers: [Int32]) -> Answer {
        .allExtensionNumbersResponse(
            .with {
                $0.baseTypeName = type
                $0.extensionNumber = numbers
            }
        )
    }

    private static func error(_ code: Int32, _ message: String) -> Answer {
        .errorResponse(
            .with {
                $0.errorCode = code
                $0.errorMessage = message
            }
        )
    }

    private static func missing(_ what: String) -> Answer { error(5, "there is no \(what)") }

    private static let conversation: [(Request.OneOf_MessageRequest?, Answer)] = [
        (.fileByFilename("base.proto"), files(base)),
        (.fileByFilename("main.proto"), files(main, base)),
        (.fileByFilename("no.proto"), missing("no.proto")),
        (.fileContainingSymbol("pkg.v1.Talker"), files(main, base)),
        (.fileContainingSymbol("pkg.v1.Talker.Talk"), files(main, base)),
        (.fileContainingSymbol("pkg.Base.Inner"), files(base)),
        (.fileContainingSymbol("pkg.Base.field"), files(base)),
        (.fileContainingSymbol("pkg.Base.choice"), files(base)),
        (.fileContainingSymbol("pkg.Color"), files(base)),
        (.fileContainingSymbol("pkg.COLOR_RED"), files(base)),
        (.fileContainingSymbol("pkg.v1.extra_100"), files(main, base)),
        (.fileContainingSymbol("pkg.Nothing"), missing("pkg.Nothing")),
        (
            .fileContainingExtension(
                .with {
                    $0.containingType = "pkg.Base"; $0.extensionNumber = 101
                }
            ),
            files(main, base)
        ),
        (
            .fileContainingExtension(
                .with {
                    $0.containingType = "pkg.Base"; $0.extensionNumber = 102
                }
            ),
            missing("extension 102 of pkg.Base")
        ),
        (.allExtensionNumbersOfType("pkg.Base"), numbers(of: "pkg.Base", [100, 101])),
        (.allExtensionNumbersOfType("pkg.Base.Inner"), numbers(of: "pkg.Base.Inner", [])),
        (.allExtensionNumbersOfType("pkg.Nothing"), missing("type pkg.Nothing")),
        (
            .listServices("*"),
            .listServicesResponse(.with { $0.service = [.with { $0.name = "pkg.v1.Talker" }] })
        ),
        (nil, error(3, "the request asks for nothing that is known")),
    ]

    @Test("One stream answers every kind of request, each by itself", arguments: paths)
    func conversation(path: String) async throws {
        let test = try TestServer(try Self.router())
        defer { test.stop() }
        let stream = test.channel.stream(path)
        for (question, answer) in Self.conversation {
            let request = Request.with {
                $0.host = "here"
                $0.messageRequest = question
            }
            try await stream.send(try request.serializedBytes())
            let bytes = try #require(try await stream.next())
            let response = try Response(serializedBytes: bytes)
            #expect(response.validHost == "here")
            #expect(response.originalRequest == request)
            #expect(response.messageResponse == answer)
        }
        await stream.finishSending()
        #expect(try await stream.next() == nil)
    }

    @Test(
        "Bytes that are not a request, and more than one has, end the stream",
        arguments: paths,
        [[26, 200], [26, 0x80, 0x20] + Array(repeating: 97, count: 4_096)] as [[UInt8]]
    )
    func malformed(path: String, bytes: [UInt8]) async throws {
        let test = try TestServer(try Self.router())
        defer { test.stop() }
        let stream = test.channel.stream(path)
        try await stream.send(bytes)
        let error = await #expect(throws: Status.self) { try await stream.next() }
        #expect(error?.code == .invalidArgument)
    }
}
