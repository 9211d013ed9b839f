/// A request to a push service, ready for a client of HTTP (RFC 8030, section 5).
package struct PushRequest: Sendable {
    package enum Urgency: String, Sendable, CaseIterable {
        case veryLow = "very-low"
        case low, normal, high
    }

    /// How a push service treats a message that the browser does not take at once.
    package struct Delivery: Sendable {
        let subject: [UInt8]
        let urgency: Urgency
        let end: Int?

        /// Makes the terms of a delivery.
        ///
        /// - Parameters:
        ///   - subject: What a later message with the same bytes replaces.
        ///   - urgency: What a browser that saves its battery goes by.
        ///   - end: When nobody needs the message any more: seconds since 1970; nil is never.
        package init(subject: [UInt8], urgency: Urgency, end: Int?) {
            self.subject = subject
            self.urgency = urgency
            self.end = end
        }
    }

    package let endpoint: PushEndpoint
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    /// Push services keep no message for longer: four weeks.
    static let lifeSecondsLimit = 2_419_200
}

extension PushSender {
    /// An authorization is read at once; the rest is for a clock that is wrong.
    private static let authorizationSeconds = secondsLimit / 2

    /// Encrypts and signs a message.
    ///
    /// - Parameters:
    ///   - text: What the browser reads.
    ///   - receiver: The keys of the browser.
    ///   - endpoint: The push service's address of the browser.
    ///   - delivery: The terms of the delivery.
    ///   - now: Seconds since 1970.
    /// - Returns: The request; nil where the text is longer than ``PushReceiver/textByteLimit``.
    package func request(
        _ text: [UInt8],
        to receiver: PushReceiver,
        at endpoint: PushEndpoint,
        delivery: PushRequest.Delivery,
        now: Int
    ) -> PushRequest? {
        guard let body = receiver.message(text) else { return nil }
        let limit = PushRequest.lifeSecondsLimit
        let life = delivery.end.map { end in
            // Neither instant can make the difference overflow.
            end <= now ? 0 : Int(min(UInt(bitPattern: end &- now), UInt(limit)))
        }
        return PushRequest(
            endpoint: endpoint,
            headers: [
                (
                    "Authorization",
                    authorization(for: endpoint, until: now + Self.authorizationSeconds)
                ),
                ("Content-Encoding", "aes128gcm"),
                ("Content-Type", "application/octet-stream"),
                ("TTL", String(life ?? limit)),
                ("Topic", topic(of: delivery.subject)),
                ("Urgency", delivery.urgency.rawValue),
            ],
            body: body
        )
    }
}
