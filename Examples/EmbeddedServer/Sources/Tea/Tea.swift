import Foundation
import Logging
import NotificationClient
import NotificationProtocol
import NotificationServer

/// Tells when tea has drawn, with a server in this process.
@main
enum Tea {
    static func main() async throws {
        let directory = NSTemporaryDirectory() + "tea-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: directory) }

        var configuration = NotificationServer.Configuration(
            directory: directory + "/store",
            addresses: [.unix(path: directory + "/belfry.sock")]
        )
        // The example takes four minutes, and nobody waits for them. With the system's clock they
        // pass by themselves.
        configuration.clock = .manual(start: Date(timeIntervalSince1970: 1_767_225_600))
        configuration.prompts = .grant
        let server = try await NotificationServer.start(
            configuration,
            logger: Logger(label: "tea") { StreamLogHandler.standardError(label: $0) }
        )
        try await withClient(to: "\(server.addresses[0])") { client in
            try await makeTea(client)
        }
        await server.stop()
    }

    /// Schedules a notification, and follows it until the person has answered.
    static func makeTea(_ client: Client) async throws(ClientError) {
        let center = client.center("org.example.tea")
        do throws(ClientError) {
            _ = try await center.add(tea)
        } catch {
            print("refused:", error.reason)
        }
        _ = try await center.requestAuthorization([.alert])
        print("pending until", try await center.add(tea).nextTriggerDate.date.ISO8601Format())

        var subscription = ""
        for try await frame in center.subscribeToResponses() {
            switch frame.kind {
            case .started(let started):
                subscription = started.subscriptionID
                _ = try await client.admin.advanceClock(by: .seconds(240))
            case .event(let event):
                guard case .delivered(let delivered) = event.kind else { continue }
                print("delivered at", event.recordedAt.date.ISO8601Format())
                try await tap(delivered.notification, of: center, client)
            case .callback(let callback):
                print("the person tapped", callback.didReceive.notification.request.identifier)
                try await center.completeResponse(callback.callbackID, subscription: subscription)
                return
            default: continue
            }
        }
    }

    /// Does what the person does at the screen.
    static func tap(
        _ notification: Belfry_V1_Notification,
        of center: NotificationCenterClient,
        _ client: Client
    ) async throws(ClientError) {
        var shown = Belfry_V1_NotificationRef()
        shown.center = center.center
        shown.identifier = notification.request.identifier
        shown.delivery = notification.delivery
        _ = try await client.device().respond(.defaultAction(.init()), to: shown)
    }

    static var tea: Belfry_V1_NotificationRequest {
        var request = Belfry_V1_NotificationRequest()
        request.identifier = "tea"
        request.content.title = "Tea"
        request.trigger.timeInterval.interval.seconds = 240
        return request
    }
}
