internal import BelfryGRPC
internal import NotificationClient
internal import NotificationCore
internal import NotificationProtocol
internal import TestSupport
internal import Testing

@Suite("No bytes hurt the server (P6)", .sharedService)
struct MalformedTests {
    /// The codes that a server may answer to any bytes.
    private static let answers: Set<StatusCode> = [
        .invalidArgument, .notFound, .permissionDenied, .failedPrecondition, .outOfRange,
        .unimplemented, .resourceExhausted,
    ]

    @Test(
        "What is no message is refused as malformed by every rpc",
        arguments: Rpc.allCases,
        [
            [0x0A], [0x0A, 0x05, 0x61], [0xFF], [0x00], [0x07], [0x0B, 0x0B],
            [UInt8](repeating: 0x80, count: 20),
        ]
    )
    func malformed(rpc: Rpc, bytes: [UInt8]) async throws {
        let service = try SharedService.get()
        let error = try await refusal { _ = try await service.call(rpc, bytes) }
        Expected(.invalidArgument, "MALFORMED_MESSAGE").check(error)
    }

    @Test(
        "A text that is not UTF-8 is refused as malformed",
        arguments: Rpc.allCases.filter(\.isOfCenter)
    )
    func badText(rpc: Rpc) async throws {
        let service = try SharedService.get()
        let bytes: [UInt8] = [0x0A, 0x03, 0x0A, 0x01, 0xFF]
        let error = try await refusal { _ = try await service.call(rpc, bytes) }
        Expected(.invalidArgument, "MALFORMED_MESSAGE").check(error)
    }

    @Test("What is nested without end is refused, and not followed")
    func nested() async throws {
        let service = try SharedService.get()
        var bytes: [UInt8] = []
        for _ in 0..<20_000 { bytes += [0x0B] }
        for rpc in Rpc.allCases {
            _ = try await refusal { _ = try await service.call(rpc, bytes) }
        }
    }

    @Test("A message with flipped, lost or doubled bytes gets an answer with a reason")
    func mutated() async throws {
        let service = try SharedService.get()
        let app = "org.example.malformed"
        _ = try await service.authorizedCenter(app)
        var generator = SeededGenerator()
        for rpc in Rpc.allCases {
            let good = try rpc.encode(rpc.request, app: app)
            for _ in 0..<150 {
                let bytes = Self.mutate(good, &generator)
                do {
                    _ = try await service.call(rpc, bytes)
                } catch {
                    let isExpected = Self.answers.contains(error.code)
                    let seed = generator.seed
                    #expect(isExpected, "\(rpc) \(bytes) SEED=\(seed): \(error)")
                    #expect(!ClientError(error).reason.isEmpty, "\(rpc) \(bytes) SEED=\(seed)")
                }
            }
        }
        // Use another center: bytes that were changed into another right request may have taken the
        // app's permission.
        let other = try await service.authorizedCenter(app + ".other")
        #expect(try await other.add("after").state == .delivered)
    }

    private static func mutate(_ good: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = good
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let place = Int.random(in: 0...bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0 where place < bytes.count:
                bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1 where place < bytes.count: bytes.remove(at: place)
            case 2: bytes.insert(.random(in: .min ... .max, using: &generator), at: place)
            default: bytes += bytes[place...]
            }
        }
        return bytes
    }

    @Test("A message that is too large is refused before it is read, and the next one is taken")
    func tooLarge() async throws {
        let service = try SharedService.get()
        let bytes = [UInt8](repeating: 0, count: 1 << 20 | 1)
        let error = try await refusal { _ = try await service.call(.add, bytes) }
        #expect(error.code == .resourceExhausted)
        _ = try await service.call(.getServerInfo, [])
    }
}
