internal import NotificationClient
internal import NotificationProtocol
internal import NotificationService
internal import Testing

@Suite("The contract and the server", .sharedService)
struct ContractTests {
    @Test("Every rpc is there or known to be later, and health knows the services")
    func complete() {
        let answered = Set(Rpc.allCases.map(\.rawValue))
        #expect(answered.isDisjoint(with: Rpc.later))
        #expect(answered.union(Rpc.later) == Set(Descriptors.rpcs))
        let services = Set(
            Rpc.allCases.map { "belfry.v1.\($0.rawValue.prefix(while: { $0 != "/" }))" }
        )
        #expect(Set(NotificationService.serviceNames) == services)
        #expect(services.isSubset(of: Descriptors.services))
    }

    @Test(
        "Every rpc answers a good request",
        arguments: Rpc.allCases.filter { !$0.needsOtherCalls }
    )
    func answers(rpc: Rpc) async throws {
        let service = try SharedService.get()
        let center = try await service.authorizedCenter()
        var request = rpc.request
        if rpc == .answerPrompt {
            let prompt = try await service.quietPrompt()
            request = #"{"promptId":"\#(prompt)","answer":"PROMPT_ANSWER_KEEP"}"#
        }
        let bytes = try rpc.encode(request, app: center.center.appID)
        _ = try await service.call(rpc, bytes)
    }
}
