internal import NotificationClient
internal import NotificationProtocol
internal import NotificationService
internal import Testing

@Suite("The contract and the server", .sharedService)
struct ContractTests {
    @Test("Every rpc of the contract is there, and every service is known to health")
    func complete() {
        #expect(Set(Rpc.allCases.map(\.rawValue)) == Set(Descriptors.rpcs))
        #expect(Set(NotificationService.serviceNames) == Set(Descriptors.services))
    }

    @Test("Every rpc answers a good request", arguments: Rpc.allCases)
    func answers(rpc: Rpc) async throws {
        let service = try SharedService.get()
        let center = try await service.authorizedCenter()
        let bytes = try rpc.encode(rpc.request, app: center.center.appID)
        _ = try await service.call(rpc, bytes)
    }
}
