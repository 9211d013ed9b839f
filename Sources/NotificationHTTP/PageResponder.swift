internal import BelfryGRPC
internal import Foundation
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// Answers with the files of the person's page, and signs its browsers in and out.
struct PageResponder: Sendable {
    let gate: CallGate
    let streams: OpenStreams
    /// Gives the token of a code with which a person signs in once; nil where the code is none.
    let redeem: @Sendable (String) -> String?

    private let sessions = PageSessions()

    /// The prefix of the page's paths, which are no rpcs' and no apps'.
    static let prefix = "/belfry.page/"
    private static let sessionPath = prefix + "session"
    /// Which rpc every role may make.
    private static let probe = "/belfry.v1.ServerService/GetServerInfo"

    init(
        gate: CallGate,
        streams: OpenStreams,
        redeem: @escaping @Sendable (String) -> String?
    ) {
        self.gate = gate
        self.streams = streams
        self.redeem = redeem
    }

    /// The methods of a path; nil where nothing is there.
    static func allowed(at path: String) -> String? {
        if path == sessionPath { return "POST, DELETE, OPTIONS" }
        return file(at: path) == nil ? nil : "GET, HEAD, OPTIONS"
    }

    private static func file(at path: String) -> PageFile? {
        PageFile.all[String(path.dropFirst(prefix.count))]
    }

    /// Whether a request for the server's address wants the page, and not the text for programs.
    static func isWanted(by exchange: Exchange) -> Bool {
        exchange.field(.accept)?.lowercased().contains("text/html") == true
    }

    /// Answers a request for a path that ``allowed(at:)`` knows, by one of its methods.
    func respond(_ exchange: Exchange, _ writer: consuming ResponseWriter) async throws {
        switch exchange.method {
        case .post: try await signIn(exchange, writer)
        case .delete: try await signOut(exchange, writer)
        default: try await send(Self.file(at: exchange.path), exchange, writer)
        }
    }

    /// Answers with the page itself.
    func index(_ exchange: Exchange, _ writer: consuming ResponseWriter) async throws {
        try await send(PageFile.all[PageFile.index], exchange, writer)
    }

    /// The request as that of the token for which its session stands; as it is without one.
    func identified(_ exchange: Exchange) -> Exchange {
        guard exchange.field(.authorization) == nil, let found = session(of: exchange) else {
            return exchange
        }
        var identified = exchange.authorized("Bearer " + found.token)
        identified.session = found.session
        return identified
    }

    private func send(
        _ file: PageFile?,
        _ exchange: Exchange,
        _ writer: consuming ResponseWriter
    ) async throws {
        guard let file else { preconditionFailure("a path that is not the page's") }
        var fields = PageFile.fields
        fields[.eTag] = file.tag
        if exchange.path == "/" { fields[.vary] = "Accept" }
        let isKnown = exchange.field(.ifNoneMatch)?.contains(file.tag) == true
        try await exchange.write(
            isKnown ? 304 : 200,
            isKnown ? [] : file.bytes,
            type: file.mediaType,
            fields: fields,
            to: writer
        )
    }

    // MARK: Sessions

    /// Signs in with what is in `Authorization`: a token, or a code that counts once.
    private func signIn(_ exchange: Exchange, _ writer: consuming ResponseWriter) async throws {
        let shown = exchange.field(.authorization).map { $0.drop { $0 != " " }.dropFirst() }
        let token = shown.flatMap { redeem(String($0)) } ?? shown.map(String.init) ?? ""
        let secrets: PageSessions.Secrets
        do throws(Status) {
            let exchange = exchange.authorized("Bearer " + token)
            let call = exchange.call(Self.probe)
            _ = try await RPCResponder.answer(call, try gate.admit(call), [], exchange)
            let opened = sessions.open(token)
            for session in opened.ended { streams.endAll(of: session, Self.signedOut) }
            guard let made = opened.secrets else {
                throw Status(code: .resourceExhausted, message: "too many browsers are signed in")
            }
            secrets = made
        } catch {
            return try await refuse(error, exchange, writer, closes: true)
        }
        var fields = HTTPFields()
        fields[.setCookie] = cookie(secrets.cookie, seconds: PageSessions.seconds, exchange)
        try await exchange.write(
            200,
            Array(#"{"key":"\#(secrets.key)"}"#.utf8),
            type: "application/json",
            fields: fields,
            closes: exchange.hasBody,
            to: writer
        )
    }

    private func signOut(_ exchange: Exchange, _ writer: consuming ResponseWriter) async throws {
        if let session = session(of: exchange)?.session {
            sessions.end(session)
            streams.endAll(of: session, Self.signedOut)
        }
        var fields = HTTPFields()
        fields[.setCookie] = cookie("", seconds: 0, exchange)
        try await exchange.write(
            200,
            Array("{}".utf8),
            type: "application/json",
            fields: fields,
            closes: exchange.hasBody,
            to: writer
        )
    }

    private static let signedOut = Status(code: .unauthenticated, message: "signed out")

    private func session(
        of exchange: Exchange
    ) -> (session: PageSessions.Identifier, token: String)? {
        guard let key = exchange.field(.belfrySession), let cookies = exchange.field(.cookie) else {
            return nil
        }
        let name = Self.cookieName(exchange) + "="
        return cookies.split(separator: ";").lazy
            .map { $0.drop { $0 == " " } }
            .filter { $0.utf8.starts(with: name.utf8) }
            .compactMap { sessions.find(cookie: String($0.dropFirst(name.count)), key: key) }
            .first
    }

    private func cookie(_ value: String, seconds: Int, _ exchange: Exchange) -> String {
        // Behind a proxy with TLS the cookie is for that alone.
        let isOverTLS =
            exchange.isEncrypted
            || exchange.field(.origin)?.lowercased().hasPrefix("https://") == true
        return "\(Self.cookieName(exchange))=\(value); Path=/; HttpOnly; SameSite=Strict; "
            + "Max-Age=\(seconds)" + (isOverTLS ? "; Secure" : "")
    }

    /// A browser has one cookie of a name for all ports of a machine.
    private static func cookieName(_ exchange: Exchange) -> String {
        "belfry-\(exchange.channel.localAddress?.port ?? 0)"
    }
}
