internal import ArgumentParser
internal import BelfryGRPC
internal import NotificationClient
internal import StandardServices
internal import Testing

@testable internal import belfry

struct ExitReasonTests {
    @Test(
        "The status tells a script what to do",
        arguments: [
            (.invalidArgument, .refused), (.notFound, .notFound), (.unavailable, .unreachable),
            (.deadlineExceeded, .tryLater), (.permissionDenied, .notPermitted),
            (.unauthenticated, .notPermitted), (.resourceExhausted, .refused),
            (.failedPrecondition, .refused), (.internalError, .refused),
        ] as [(StatusCode, ExitReason)]
    )
    func codes(code: StatusCode, status: ExitReason) {
        #expect(ExitReason(ClientError(Status(code: code, message: ""))) == status)
    }

    @Test("A server that names a time to come again is tried later")
    func retry() {
        let busy = Status(
            code: .resourceExhausted,
            message: "",
            details: [.retryInfo(delayNanoseconds: 1)]
        )
        #expect(ExitReason(ClientError(busy)) == .tryLater)
    }

    @Test("The help lists each status")
    func help() {
        #expect(ExitReason.help.split(separator: "\n").count == ExitReason.allCases.count + 1)
        #expect(Belfry.configuration.discussion.contains(ExitReason.help))
    }
}
