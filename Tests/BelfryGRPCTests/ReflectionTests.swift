internal import BelfryGRPC
internal import Testing

@Suite("Reflection", .serialized)
struct ReflectionTests {
    private static let paths = ["v1", "v1alpha"].map {
        "/grpc.reflection.\($0).ServerReflection/ServerReflectionInfo"
    }

    // ---- A descriptor set of two files, in the numbers of descriptor.proto ----

    private static func bytes(_ body: (inout ProtoWriter) -> Void) -> [UInt8] {
        var writer = ProtoWriter()
        body(&writer)
        return writer.bytes
    }

    private static let base = bytes { file in
        file.string(1, "base.proto")
        file.string(2, "pkg")
        file.message(4) { message in
            message.string(1, "Base")
            message.message(2) { $0.string(1, "field") }
            message.message(3) { $0.string(1, "Inner") }
        }
        file.message(5) { declaration in
            declaration.string(1, "Color")
            declaration.message(2) { $0.string(1, "COLOR_RED") }
        }
    }

    private static let main = bytes { file in
        file.string(1, "main.proto")
        file.string(2, "pkg.v1")
        file.string(3, "base.proto")
        file.message(6) { service in
            service.string(1, "Talker")
            service.message(2) { $0.string(1, "Talk") }
        }
        for number in [100, 101] {
            file.message(7) { declaration in
                declaration.string(1, "extra_\(number)")
                declaration.string(2, ".pkg.Base")
                declaration.integer(3, Int64(number))
            }
        }
    }

    private static func router() -> Router {
        var router = Router()
        router.addReflection(
            descriptorSet: bytes { set in
                set.data(1, base)
                set.data(1, main)
            }
        )
        return router
    }

    // ---- Requests and answers ----

    /// What a response holds, read by its field numbers.
    private enum Answer: Equatable {
        case files([[UInt8]])
        case extensionNumbers(String, [Int64])
        case services([String])
        case error(Int64)

        init?(_ response: [UInt8], to request: [UInt8]) throws {
            var reader = ProtoReader(response)
            var answer: Answer?
            var original: [UInt8] = []
            while let field = try reader.next() {
                switch field.number {
                case 2: original = Array(field.data)
                case 4: answer = .files(try Answer.all(1, in: field).map { Array($0.data) })
                case 5:
                    answer = .extensionNumbers(
                        try Answer.all(1, in: field).map { try $0.text ?? "" }.joined(),
                        try Answer.all(2, in: field).map(\.integer)
                    )
                case 6:
                    answer = .services(
                        try Answer.all(1, in: field).flatMap { try Answer.all(1, in: $0) }
                            .map { try $0.text ?? "" }
                    )
                case 7: answer = .error(try Answer.all(1, in: field)[0].integer)
                default: return nil
                }
            }
            guard let answer, original == request else { return nil }
            self = answer
        }

        private static func all(
            _ number: Int,
            in field: ProtoReader.Field
        ) throws -> [ProtoReader.Field] {
            guard var reader = field.message else { return [] }
            var found: [ProtoReader.Field] = []
            while let inner = try reader.next() {
                if inner.number == number { found.append(inner) }
            }
            return found
        }
    }

    private static var conversation: [(request: [UInt8], answer: Answer)] {
        [
            (bytes { $0.string(3, "base.proto") }, .files([base])),
            (bytes { $0.string(3, "main.proto") }, .files([main, base])),
            (bytes { $0.string(3, "no.proto") }, .error(5)),
            (bytes { $0.string(4, "pkg.v1.Talker") }, .files([main, base])),
            (bytes { $0.string(4, "pkg.v1.Talker.Talk") }, .files([main, base])),
            (bytes { $0.string(4, "pkg.Base.Inner") }, .files([base])),
            (bytes { $0.string(4, "pkg.Base.field") }, .files([base])),
            (bytes { $0.string(4, "pkg.COLOR_RED") }, .files([base])),
            (bytes { $0.string(4, "pkg.v1.extra_100") }, .files([main, base])),
            (bytes { $0.string(4, "pkg.Nothing") }, .error(5)),
            (extensionRequest("pkg.Base", 101), .files([main, base])),
            (extensionRequest("pkg.Base", 102), .error(5)),
            (bytes { $0.string(6, "pkg.Base") }, .extensionNumbers("pkg.Base", [100, 101])),
            (bytes { $0.string(6, "pkg.Base.Inner") }, .extensionNumbers("pkg.Base.Inner", [])),
            (bytes { $0.string(6, "pkg.Nothing") }, .error(5)),
            (bytes { $0.string(7, "*") }, .services(["pkg.v1.Talker"])),
            ([], .error(3)),
        ]
    }

    private static func extensionRequest(_ type: String, _ number: Int64) -> [UInt8] {
        bytes { request in
            request.message(5) { body in
                body.string(1, type)
                body.integer(2, number)
            }
        }
    }

    @Test("One stream answers every kind of request, each by itself", arguments: paths)
    func conversation(path: String) async throws {
        let test = try TestServer(Self.router())
        defer { test.stop() }
        let stream = test.channel.stream(path)
        for (request, answer) in Self.conversation {
            try await stream.send(request)
            let response = try #require(try await stream.next())
            #expect(try Answer(response, to: request) == answer)
        }
        await stream.finishSending()
        #expect(try await stream.next() == nil)
    }

    @Test("Bytes that are not a request end the stream", arguments: paths)
    func malformed(path: String) async throws {
        let test = try TestServer(Self.router())
        defer { test.stop() }
        let stream = test.channel.stream(path)
        try await stream.send([26, 200])
        let error = await #expect(throws: Status.self) { try await stream.next() }
        #expect(error?.code == .invalidArgument)
    }
}
