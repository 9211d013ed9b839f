internal import CoreMetrics
internal import Logging
internal import MetricsTestKit
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import NotificationServer

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
            // Wait for the first counts: a counter takes the difference from then on.
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
        #expect(metrics.meters.count == stats.measured.count + 1)
        let commands = metrics.counterTotal(label: "belfry_commands_total")
        #expect(metrics.counterTotal(label: "belfry_queue_wait_seconds_count") == commands)
        for (bound, count) in [("1e-05", 3), ("10.0", 3), ("+Inf", 3)] as [(String, Int64)] {
            let bucket = try metrics.expectCounter(
                "belfry_lateness_seconds_bucket",
                [("le", bound)]
            )
            #expect(bucket.totalValue == count, "\(bound)")
        }
        for times in stats.timed {
            #expect(times.buckets.count == 20)
            #expect(
                metrics.counterTotal(label: "belfry_\(times.name)_count") >= Int64(times.count),
                "\(times.name)"
            )
        }
    }

    @Test("Refused calls are counted by their reasons, and times are added up")
    func labelled() throws {
        let metrics = TestMetrics()
        let feed = MetricsFeed(factory: metrics)
        var stats = Belfry_V1_GetStatsResponse()
        for (count, seconds) in [(2, 1), (5, 3)] as [(UInt64, Int64)] {
            stats.counters.refusedCallsByReason = [
                .with {
                    $0.reason = "TOKEN_INVALID"
                    $0.count = count
                },
                .with {
                    $0.reason = "ROLE_REQUIRED"
                    $0.count = 1
                },
            ]
            stats.stages.commit.sum.seconds = seconds
            stats.stages.commit.sum.nanos = 500_000_000
            feed.take(stats)
        }
        for (reason, count) in [("TOKEN_INVALID", 5), ("ROLE_REQUIRED", 1)] as [(String, Int64)] {
            let name = "belfry_refused_calls_by_reason_total"
            let counter = try metrics.expectCounter(name, [("reason", reason)])
            #expect(counter.totalValue == count)
        }
        // These metrics keep whole seconds of the 3.5 s.
        #expect(metrics.counterTotal(label: "belfry_commit_seconds_sum") == 3)
    }
}
