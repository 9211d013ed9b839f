internal import BelfryGRPC
internal import HummingbirdCore
internal import NotificationProtocol
internal import SwiftProtobuf

/// Answers a scrape with the numbers of `GetStats`; the caller needs the right to that call.
struct MetricsResponder: Sendable {
    let gate: CallGate

    private static let path = "/belfry.v1.AdminService/GetStats"
    private static let type = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    func respond(_ exchange: Exchange, _ writer: consuming ResponseWriter) async throws {
        let stats: Belfry_V1_GetStatsResponse
        do {
            let call = exchange.call(Self.path)
            let admitted = try gate.admit(call)
            let answer = try await RPCResponder.answer(call, admitted, [], exchange)
            stats = try Belfry_V1_GetStatsResponse(serializedBytes: answer)
        } catch {
            let lost = Status(code: .internalError, message: "the statistics do not decode")
            return try await refuse(error as? Status ?? lost, exchange, writer, closes: false)
        }
        try await exchange.write(200, Metrics(stats).bytes, type: Self.type, to: writer)
    }
}
