internal import BelfryGRPC
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

/// The names in a request are kept while its stream is open.
@Suite("Names that a stream keeps", .sharedService)
struct KeptNamesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let rpc: Rpc
        let path: String
        let request: @Sendable ([String]) -> any Message

        var testDescription: String { "\(rpc.rawValue) \(path)" }
    }

    static let cases: [Case] = [
        Case(rpc: .watchDevice, path: "app_ids") { names in
            Belfry_V1_WatchDeviceRequest.with { $0.appIds = names }
        },
        Case(rpc: .serve, path: "extension.categories") { names in
            Belfry_V1_ServeRequest.with { request in
                request.appID = "org.example.kept"
                request.extension.extensionID = "org.example.kept.content"
                request.extension.kind = .content
                request.extension.categories = names
            }
        },
    ]

    @Test("The table has each list of a request that opens a stream")
    func table() {
        #expect(Set(Self.cases.map(\.testDescription)) == Descriptors.listsOfStreams)
    }

    @Test("They have 8 KiB, with what the place of each takes", arguments: cases)
    func limit(of item: Case) async throws {
        let service = try SharedService.get()
        let name = String(repeating: "a", count: 97)
        // With 48 for each, 148 bytes.
        let names = (100..<156).map { "\(name)\($0)" }
        let refusal = try await refusal {
            _ = try await service.call(item.rpc, try item.request(names).serializedBytes())
        }
        Expected.invalid(item.path).check(refusal)
        let stream = service.channel.stream(item.rpc.path)
        try await stream.send(try item.request(Array(names.dropLast())).serializedBytes())
        await stream.finishSending()
        #expect(try await stream.next() != nil)
        stream.cancel()
    }
}
