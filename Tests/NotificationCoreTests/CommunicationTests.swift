internal import NotificationCore
internal import Testing

@Suite("Communications (§22)")
struct CommunicationTests {
    private func request(_ communication: Communication) -> NotificationRequest {
        var content = NotificationContent()
        content.title = "Ann"
        content.communication = communication
        return NotificationRequest(identifier: "request", content: content)
    }

    /// A sender, how many recipients of what length, and the field that is refused.
    static let rows: [(rule: String, sender: Int, count: Int, bytes: Int, field: FieldPath?)] = [
        ("COM-2: a sender of 1 byte", 1, 0, 0, nil),
        ("COM-2: a sender of 256 bytes", 256, 0, 0, nil),
        ("COM-2: no sender", 0, 0, 0, [.sender]),
        ("COM-2: a sender of 257 bytes", 257, 0, 0, [.sender]),
        ("COM-2: 1,024 recipients", 1, 1_024, 1, nil),
        ("COM-2: 1,025 recipients", 1, 1_025, 1, [.recipients]),
        ("COM-2: a recipient of 256 bytes", 1, 1, 256, nil),
        ("COM-2: a recipient of 257 bytes", 1, 1, 257, [.recipients]),
        ("COM-2: an empty recipient", 1, 1, 0, [.recipients]),
    ]

    @Test("COM-2: One that cannot be used is error 1501", arguments: rows)
    func unusable(rule: String, sender: Int, count: Int, bytes: Int, field: FieldPath?) throws {
        let recipient = String(repeating: "x", count: bytes)
        let request = request(
            Communication(
                kind: .message,
                sender: String(repeating: "x", count: sender),
                recipients: Array(repeating: recipient, count: count)
            )
        )
        guard let field else { return try request.validate() }
        let refusal = #expect(throws: Refusal.self) { try request.validate() }
        #expect(
            refusal?.fields.map(\.path) == [
                FieldPath([.field(.content), .field(.communication)] + field.steps)
            ]
        )
        #expect(refusal?.unErrorCode == 1501)
        #expect(refusal?.reason == .contentProvidingInvalid)
    }

    @Test("C-1: Its text counts as the content's")
    func byteCount() {
        let communication = Communication(
            kind: .call,
            sender: "1",
            recipients: ["22", "333"],
            conversationIdentifier: "4444",
            groupName: "55555",
            avatarAttachment: "666666"
        )
        #expect(communication.byteCount == 21)
        #expect(request(communication).content.byteCount == 24)
    }

    @Test(
        "Its conversation is the thread where the content names none",
        arguments: [
            ("", nil, ""), ("thread", nil, "thread"), ("", "talk", "talk"),
            ("thread", "talk", "thread"), ("", "", ""),
        ]
    )
    func thread(own: String, conversation: String?, expected: String) {
        var content = NotificationContent()
        content.threadIdentifier = own
        content.communication = conversation.map {
            Communication(kind: .message, sender: "Ann", conversationIdentifier: $0)
        }
        #expect(content.groupingThread == expected)
    }
}
