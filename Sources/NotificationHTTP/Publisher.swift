internal import BelfryGRPC
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore
internal import NotificationProtocol
internal import StandardServices
internal import SwiftProtobuf

/// Answers requests to publish as ntfy's clients make them: a topic is an app, and the caller needs
/// the right to notify for it.
///
/// An app that has not asked for permission gets it provisionally: its notifications arrive quietly
/// until the person decides.
struct Publisher: Sendable {
    let gate: CallGate

    private static let service = "NotificationCenterService/"
    /// The reasons of a refusal for an app that has no permission, or is not known yet.
    private static let unasked = ["NOTIFICATIONS_NOT_ALLOWED", "APP_NOT_REGISTERED"]

    /// The answer, in ntfy's form.
    private struct Answer: Encodable {
        let id: String
        let time: Int64
        var event = "message"
        let topic: String
        var message: String?
        var title: String?
        var priority: Int?
        var tags: [String]?
        var sequenceID: String?

        private enum CodingKeys: String, CodingKey {
            case id, time, event, topic, message, title, priority, tags
            case sequenceID = "sequence_id"
        }
    }

    /// An error, in ntfy's form.
    private struct Failure: Encodable {
        let code: Int
        let http: Int
        let error: String
    }

    /// Does what a request with a path of publications asks for.
    func respond(_ exchange: Exchange, _ writer: consuming ResponseWriter) async throws {
        let target: PublicationTarget
        let caller: Exchange
        // Refuse before the body is read: a caller without the right should not send one.
        do throws(Status) {
            guard let found = PublicationTarget(exchange.method, exchange.path) else {
                throw Self.nothingThere
            }
            target = found
            caller = try exchange.authorizedByQuery()
            _ = try gate.admit(caller.call("/belfry.v1." + found.rpc))
        } catch {
            return try await refuse(error, exchange, writer, closes: true)
        }
        var body: [UInt8] = []
        if exchange.method != .get {
            do throws(Exchange.Problem) {
                body = try await exchange.body(continuing: writer)
            } catch {
                return try await refuse(error.status(exchange), exchange, writer, closes: true)
            }
        }
        let answer: Answer
        do throws(Status) {
            switch target {
            case .json, .publication:
                answer = try await publish(Self.publication(caller, target, body), caller)
            case .clearing(let topic, let sequence):
                answer = try await remove(topic, sequence, caller, isDeletion: false)
            case .deletion(let topic, let sequence):
                answer = try await remove(topic, sequence, caller, isDeletion: true)
            }
        } catch {
            return try await refuse(error, exchange, writer, closes: false)
        }
        try await write(200, answer, exchange, writer)
    }

    private static let nothingThere = Status(
        code: .notFound,
        message: """
            nothing is published here: send a text to /APP or /APP/SEQUENCE, or JSON to /. \
            Pushes of Matrix are not taken
            """
    )

    private static func publication(
        _ exchange: Exchange,
        _ target: PublicationTarget,
        _ body: [UInt8]
    ) throws(Status) -> Publication {
        var fields = try PublicationFields(exchange)
        let type = exchange.field(.contentType)?.lowercased() ?? ""
        try checkForm(exchange, type)
        guard case .publication(let topic, let sequence) = target else {
            try fields.read(json: body)
            return try Publication(topic: fields.topic, sequence: nil, text: "", fields: fields)
        }
        guard var text = String(validating: body, as: UTF8.self) else {
            throw .refused("the message is no UTF-8: files are not taken here")
        }
        if type.hasPrefix("application/x-www-form-urlencoded"), fields.read(form: text) {
            text = ""
        }
        return try Publication(topic: topic, sequence: sequence, text: text, fields: fields)
    }

    /// Refuses bodies in forms that the server does not read.
    private static func checkForm(_ exchange: Exchange, _ type: String) throws(Status) {
        if type.hasPrefix("text/markdown") {
            throw .refused("Content-Type: texts are shown as they are: send plain text")
        }
        if type.hasPrefix("multipart/") {
            throw .refused("Content-Type: the body is the message itself, or a form without files")
        }
        guard (exchange.field(.contentEncoding) ?? "identity") == "identity" else {
            throw .refused("Content-Encoding: a body is taken as it is alone")
        }
    }

    /// Removes the publications with a sequence; unknown sequences are ignored.
    private func remove(
        _ topic: String,
        _ sequence: String,
        _ exchange: Exchange,
        isDeletion: Bool
    ) async throws(Status) -> Answer {
        try Publication.check(sequence: sequence)
        let center = Belfry_V1_Center.with { $0.appID = topic }
        if isDeletion {
            let pending = Belfry_V1_RemovePendingRequest.with {
                $0.center = center
                $0.identifiers = [sequence]
            }
            let _: Belfry_V1_RemovePendingResponse = try await call(
                Self.service + "RemovePending",
                pending,
                exchange
            )
        }
        let delivered = Belfry_V1_RemoveDeliveredRequest.with {
            $0.center = center
            $0.identifiers = [sequence]
        }
        let _: Belfry_V1_RemoveDeliveredResponse = try await call(
            Self.service + "RemoveDelivered",
            delivered,
            exchange
        )
        return Answer(
            id: UUID().uuidString.lowercased(),
            time: try await clock(exchange).now.seconds,
            event: isDeletion ? "message_delete" : "message_clear",
            topic: topic,
            sequenceID: sequence
        )
    }

    private func clock(_ exchange: Exchange) async throws(Status) -> Belfry_V1_ClockState {
        let server: Belfry_V1_GetServerInfoResponse = try await call(
            "ServerService/GetServerInfo",
            Belfry_V1_GetServerInfoRequest(),
            exchange
        )
        return server.clock
    }

    private func publish(
        _ publication: Publication,
        _ exchange: Exchange
    ) async throws(Status) -> Answer {
        let now = try await clock(exchange).now
        var trigger: Belfry_V1_Trigger?
        if !publication.delay.isEmpty {
            let text = try DelayText(
                now: now,
                zone: publication.timeZone,
                default: exchange.options.timeZone
            )
            trigger = try text.trigger(publication.delay)
        }
        let identifier = publication.sequence ?? UUID().uuidString.lowercased()
        let add = Belfry_V1_AddRequest.with {
            $0.center = publication.center
            $0.request = publication.request(identifier: identifier, trigger: trigger)
        }
        let added = try await self.add(add, exchange)
        let shown = added.hasNextTriggerDate ? added.nextTriggerDate : now
        return Answer(
            id: identifier,
            time: shown.seconds,
            topic: publication.topic,
            message: publication.message,
            title: publication.title.isEmpty ? nil : publication.title,
            priority: publication.priority,
            tags: publication.tags.isEmpty ? nil : publication.tags,
            sequenceID: publication.sequence
        )
    }

    /// Adds a notification; an app that has not asked for permission gets it provisionally.
    private func add(
        _ add: Belfry_V1_AddRequest,
        _ exchange: Exchange
    ) async throws(Status) -> Belfry_V1_AddResponse {
        do throws(Status) {
            return try await call(Self.service + "Add", add, exchange)
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

    /// The text of a refusal, with the field as the client named it.
    private static func text(of status: Status) -> String {
        for case .badRequest(let violations) in status.details {
            guard let path = violations.first?.field, status.message.hasPrefix(path + ": "),
                let name = names.first(where: { path.hasPrefix($0.path) })?.name
            else { continue }
            return name + status.message.dropFirst(path.count)
        }
        return status.message
    }

    /// The client's names for the fields of the requests that a publication becomes.
    private static let names = [
        (path: "request.trigger.calendar.date_components.time_zone", name: "Timezone"),
        (path: "request.trigger", name: "Delay"),
        (path: "request.content.title", name: "Title"),
        (path: "request.content.actions", name: "Actions"),
        (path: "request.content", name: "Message"),
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
