internal import BelfryGRPC
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore
internal import NotificationProtocol
internal import StandardServices
internal import SwiftProtobuf

/// Answers what ntfy's clients publish: a topic is an app, and the caller needs the right to
/// notify for it.
///
/// An app that has not asked for permission gets it provisionally: its notifications arrive
/// quietly until the person decides.
struct Publisher: Sendable {
    let gate: CallGate

    private static let service = "NotificationCenterService/"
    /// The reasons of a refusal for an app that has no permission, or is not known yet.
    private static let unasked = ["NOTIFICATIONS_NOT_ALLOWED", "APP_NOT_REGISTERED"]

    /// The answer, in ntfy's form.
    private struct Answer: Encodable {
        let id: String
        let time: Int64
        let event = "message"
        let topic: String
        let message: String
        let title: String?
        let priority: Int
        let tags: [String]?
    }

    /// An error, in ntfy's form.
    private struct Failure: Encodable {
        let code: Int
        let http: Int
        let error: String
    }

    /// Publishes the notification in a request's body.
    func respond(_ exchange: Exchange, _ writer: consuming ResponseWriter) async throws {
        // Who may add nothing at all sends no body either.
        do throws(Status) {
            _ = try gate.admit(exchange.call("/belfry.v1." + Self.service + "Add"))
        } catch {
            return try await refuse(error, exchange, writer, closes: true)
        }
        let body: [UInt8]
        do throws(Exchange.Problem) {
            body = try await exchange.body(continuing: writer)
        } catch {
            return try await refuse(error.status(exchange), exchange, writer, closes: true)
        }
        let answer: Answer
        do throws(Status) {
            answer = try await publish(try Self.publication(exchange, body), exchange)
        } catch {
            return try await refuse(error, exchange, writer, closes: false)
        }
        try await write(200, answer, exchange, writer)
    }

    private static func publication(
        _ exchange: Exchange,
        _ body: [UInt8]
    ) throws(Status) -> Publication {
        let topic = exchange.path.dropFirst()
        func value(_ names: String...) -> String? {
            for name in names {
                let fields = ["x-\(name)", name].compactMap { HTTPField.Name($0) }
                if let value = fields.compactMap({ exchange.field($0) }).first { return value }
                if let value = exchange.queryValue(name) { return value }
            }
            return nil
        }
        guard !topic.isEmpty else { return try Publication(json: body, value: value) }
        return try Publication(topic: String(topic), body: body, value: value)
    }

    private func publish(
        _ publication: Publication,
        _ exchange: Exchange
    ) async throws(Status) -> Answer {
        let server: Belfry_V1_GetServerInfoResponse = try await call(
            "ServerService/GetServerInfo",
            Belfry_V1_GetServerInfoRequest(),
            exchange
        )
        var trigger: Belfry_V1_Trigger?
        if !publication.delay.isEmpty {
            let text = try DelayText(
                now: server.clock.now,
                zone: publication.timeZone,
                default: exchange.options.timeZone
            )
            trigger = try text.trigger(publication.delay)
        }
        let identifier = UUID().uuidString.lowercased()
        let add = Belfry_V1_AddRequest.with {
            $0.center = publication.center
            $0.request = publication.request(identifier: identifier, trigger: trigger)
        }
        let added = try await self.add(publication, add, exchange)
        let shown = added.hasNextTriggerDate ? added.nextTriggerDate : server.clock.now
        return Answer(
            id: identifier,
            time: shown.seconds,
            topic: publication.topic,
            message: publication.message,
            title: publication.title.isEmpty ? nil : publication.title,
            priority: publication.priority,
            tags: publication.tags.isEmpty ? nil : publication.tags
        )
    }

    /// Adds a notification; an app that has not asked for permission gets it provisionally.
    private func add(
        _ publication: Publication,
        _ add: Belfry_V1_AddRequest,
        _ exchange: Exchange
    ) async throws(Status) -> Belfry_V1_AddResponse {
        do throws(Status) {
            return try await addOnce(publication, add, exchange)
        } catch {
            guard let reason = error.reason, Self.unasked.contains(reason) else { throw error }
        }
        let ask = Belfry_V1_RequestAuthorizationRequest.with {
            $0.center = add.center
            $0.options = [.alert, .sound, .badge, .provisional]
            $0.wait = Google_Protobuf_Duration()
        }
        let _: Belfry_V1_RequestAuthorizationResponse = try await call(
            Self.service + "RequestAuthorization",
            ask,
            exchange
        )
        return try await addOnce(publication, add, exchange)
    }

    private func addOnce(
        _ publication: Publication,
        _ add: Belfry_V1_AddRequest,
        _ exchange: Exchange
    ) async throws(Status) -> Belfry_V1_AddResponse {
        if !publication.actions.isEmpty {
            let upsert = Belfry_V1_UpsertNotificationCategoriesRequest.with {
                $0.center = add.center
                $0.categories = [publication.category]
            }
            let _: Belfry_V1_UpsertNotificationCategoriesResponse = try await call(
                Self.service + "UpsertNotificationCategories",
                upsert,
                exchange
            )
        }
        return try await call(Self.service + "Add", add, exchange)
    }

    /// Makes a call as the request's client.
    private func call<Response: Message>(
        _ method: String,
        _ request: some Message,
        _ exchange: Exchange
    ) async throws(Status) -> Response {
        let call = exchange.call("/belfry.v1." + method)
        let admitted = try gate.admit(call)
        let bytes: [UInt8]
        do {
            bytes = try request.serializedBytes()
        } catch {
            throw Status(code: .internalError, message: "the request does not serialize")
        }
        try exchange.checkLength(of: bytes)
        let answer = try await RPCResponder.answer(call, admitted, bytes, exchange)
        do {
            return try Response(serializedBytes: answer)
        } catch {
            throw Status(code: .internalError, message: "the response does not decode")
        }
    }

    /// Answers with an error in ntfy's form.
    private func refuse(
        _ status: Status,
        _ exchange: Exchange,
        _ writer: consuming ResponseWriter,
        closes: Bool
    ) async throws {
        let http = status.httpStatus
        let failure = Failure(code: http * 100, http: http, error: Self.text(of: status))
        try await write(http, failure, exchange, writer, closes: closes)
    }

    /// What a refusal says, with the field as the client named it.
    private static func text(of status: Status) -> String {
        for case .badRequest(let violations) in status.details {
            guard let path = violations.first?.field, status.message.hasPrefix(path + ": "),
                let name = names.first(where: { path.hasPrefix($0.path) })?.name
            else { continue }
            return name + status.message.dropFirst(path.count)
        }
        return status.message
    }

    /// What a client calls the fields of the requests that its publication becomes.
    private static let names = [
        (path: "request.trigger.calendar.date_components.time_zone", name: "Timezone"),
        (path: "request.trigger", name: "Delay"),
        (path: "request.content.title", name: "Title"),
        (path: "request.content", name: "Message"),
        (path: "categories", name: "Actions"),
        (path: "center.app_id", name: "topic"),
    ]

    private func write(
        _ status: Int,
        _ answer: some Encodable,
        _ exchange: Exchange,
        _ writer: consuming ResponseWriter,
        closes: Bool = false
    ) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = [UInt8](try encoder.encode(answer)) + [UInt8(ascii: "\n")]
        try await exchange.write(
            status,
            bytes,
            type: "application/json",
            closes: closes,
            to: writer
        )
    }
}

extension Status {
    /// The machine-readable reason; nil where the status has none.
    var reason: String? {
        for case .errorInfo(let reason, _, _) in details { return reason }
        return nil
    }
}
