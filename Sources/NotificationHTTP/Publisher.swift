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

    private static let service = "/belfry.v1.NotificationCenterService/"
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
            _ = try gate.admit(exchange.call(Self.service + "Add"))
        } catch {
            return try await refuse(error, exchange, writer, closes: true)
        }
        let body: [UInt8]
        do throws(Exchange.Problem) {
            body = try await exchange.body()
        } catch {
            return try await refuse(error.status(exchange), exchange, writer, closes: true)
        }
        let identifier = UUID().uuidString.lowercased()
        let publication: Publication
        do throws(Status) {
            publication = try Self.publication(exchange, body)
            try await publish(publication, identifier, exchange)
        } catch {
            return try await refuse(error, exchange, writer, closes: false)
        }
        let answer = Answer(
            id: identifier,
            time: Int64(Date().timeIntervalSince1970 + (publication.delay ?? 0)),
            topic: publication.topic,
            message: publication.message,
            title: publication.title.isEmpty ? nil : publication.title,
            priority: publication.priority,
            tags: publication.tags.isEmpty ? nil : publication.tags
        )
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
        _ identifier: String,
        _ exchange: Exchange
    ) async throws(Status) {
        let center = Belfry_V1_Center.with { $0.appID = publication.topic }
        do throws(Status) {
            return try await add(publication, identifier, center, exchange)
        } catch {
            guard let reason = error.reason, Self.unasked.contains(reason) else { throw error }
        }
        let ask = Belfry_V1_RequestAuthorizationRequest.with {
            $0.center = center
            $0.options = [.alert, .sound, .badge, .provisional]
            $0.wait = Google_Protobuf_Duration()
        }
        try await call("RequestAuthorization", ask, exchange)
        try await add(publication, identifier, center, exchange)
    }

    private func add(
        _ publication: Publication,
        _ identifier: String,
        _ center: Belfry_V1_Center,
        _ exchange: Exchange
    ) async throws(Status) {
        if !publication.actions.isEmpty {
            let upsert = Belfry_V1_UpsertNotificationCategoriesRequest.with {
                $0.center = center
                $0.categories = [publication.category]
            }
            try await call("UpsertNotificationCategories", upsert, exchange)
        }
        let add = Belfry_V1_AddRequest.with {
            $0.center = center
            $0.request = publication.request(identifier: identifier)
        }
        try await call("Add", add, exchange)
    }

    /// Makes a call as the request's client.
    private func call(
        _ method: String,
        _ request: some Message,
        _ exchange: Exchange
    ) async throws(Status) {
        let call = exchange.call(Self.service + method)
        let admitted = try gate.admit(call)
        let message: [UInt8]
        do {
            message = try request.serializedBytes()
        } catch {
            throw Status(code: .internalError, message: "the request does not serialize")
        }
        try exchange.checkLength(of: message)
        _ = try await RPCResponder.answer(call, admitted, message, exchange)
    }

    /// Answers with an error in ntfy's form.
    private func refuse(
        _ status: Status,
        _ exchange: Exchange,
        _ writer: consuming ResponseWriter,
        closes: Bool
    ) async throws {
        let http = status.code.httpStatus
        let failure = Failure(code: http * 100, http: http, error: status.message)
        try await write(http, failure, exchange, writer, closes: closes)
    }

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
    fileprivate var reason: String? {
        for case .errorInfo(let reason, _, _) in details { return reason }
        return nil
    }
}
