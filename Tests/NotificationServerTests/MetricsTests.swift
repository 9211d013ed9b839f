internal import CoreMetrics
internal import Logging
internal import MetricsTestKit
internal import NotificationClient
internal import NotificationProtocol
internal import NotificationServer
internal import SwiftProtobuf
internal import Testing

@Suite("The metrics of a server in a program's process", .timeLimit(.minutes(5)))
struct MetricsTests {
    let tests: NotificationServerTests

    init() throws { tests = try NotificationServerTests() }

    @Test("They are what the server has counted, at the latest when it is stopped")
    func counted() async throws {
        let metrics = TestMetrics()
        let server = try await NotificationServer.start(
            tests.configuration,
            logger: tests.logger,
            metrics: metrics
        )
        let stats = try await NotificationServerTests.withClient(of: server) { client in
            let center = client.center("org.example.metrics")
            _ = try await center.requestAuthorization([.alert])
            for identifier in ["a", "b", "c"] {
                _ = try await center.add(
                    .with { request in
                        request.identifier = identifier
                        request.content.title = identifier
                        request.trigger.timeInterval.interval.seconds = 60
                    }
                )
            }
            // What is there once, and then counts on: a counter takes the difference.
            while metrics.counterTotal(label: "belfry_adds_total") < 3 {
                try await Task.sleep(for: .milliseconds(10))
            }
            _ = try await center.add(.with { $0.content.title = "now" })
            _ = try await client.admin.advanceClock(by: .seconds(60))
            return try await client.admin.stats()
        }
        await server.stop()
        #expect(stats.counters.adds == 4)
        #expect(stats.counters.delivered == 4)
        for counter in stats.counted {
            let total = metrics.counterTotal(label: "belfry_\(counter.name)_total")
            #expect(total == Int64(counter.value), "\(counter.name)")
        }
        for name in ["requests_pending", "requests_arriving", "subscriptions", "conditions"] {
            #expect(try metrics.expectMeter("belfry_\(name)").lastValue == 0, "\(name)")
        }
        let delivered = try metrics.expectMeter("belfry_notifications_delivered").lastValue
        #expect(delivered == 4)
        let start = try metrics.expectMeter("belfry_start_time_seconds").lastValue
        #expect(start == 1_767_225_600)
        for quantile in ["0.5", "0.99", "1"] {
            let name = "belfry_lateness_seconds"
            #expect(try metrics.expectMeter(name, [("quantile", quantile)]).lastValue == 0)
        }
        #expect(metrics.meters.count == stats.measured.count + 4)
    }
}
