internal import BelfryLMDB
internal import NotificationCore

/// An open callback, as the `callbacks` table keeps it.
struct CallbackRecord: Equatable {
    /// What the app is asked.
    enum Question: Equatable {
        /// How to present an occurrence, which is arriving until the answer.
        case willPresent(EventRecord.Fired)
        /// To take a response of the person.
        case didReceive(Response)

        /// How long the app may take to answer.
        var nanoseconds: Int64 {
            switch self {
            case .willPresent: Limits.willPresentNanoseconds
            case .didReceive: Limits.responseNanoseconds
            }
        }
    }

    /// A response of the person to a notification.
    ///
    /// The response holds the request itself: the notification may no longer exist when the app
    /// takes the response.
    struct Response: Equatable {
        var request: RequestRecord
        var date: WallInstant
        var delivery: UInt64
        var action: String
        var text: String?
    }

    var openedAt: WallInstant
    var deadline: ElapsedInstant
    var question: Question

    private static let version: UInt8 = 1

    init(openedAt: WallInstant, deadline: ElapsedInstant, question: Question) {
        self.openedAt = openedAt
        self.deadline = deadline
        self.question = question
    }

    /// How long the callback has been open.
    func nanosecondsOpen(at now: Now) -> Int64 {
        let opened = deadline.advanced(byNanoseconds: -question.nanoseconds)
        return now.elapsed.nanoseconds(since: opened)
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 64)
        writer.put(openedAt.nanoseconds)
        writer.put(deadline.nanoseconds)
        switch question {
        case .willPresent(let fired):
            writer.put(UInt8(1))
            fired.write(to: &writer)
        case .didReceive(let response):
            writer.put(UInt8(2))
            writer.put(response.date.nanoseconds)
            writer.put(response.delivery)
            writer.put(response.action)
            writer.put(response.text) { $0.put($1) }
            writer.put(bytes: response.request.bytes)
        }
        return writer.sealed()
    }

    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = try ByteReader(row: bytes)
        _ = try reader.version(upTo: Self.version)
        openedAt = WallInstant(nanoseconds: try reader.number())
        deadline = ElapsedInstant(nanoseconds: try reader.number())
        switch try reader.number(UInt8.self) {
        case 1:
            question = .willPresent(try EventRecord.Fired(&reader))
            guard reader.isAtEnd else { throw ByteReader.corrupted }
        case 2:
            let date = WallInstant(nanoseconds: try reader.number())
            let delivery: UInt64 = try reader.number()
            let action = try reader.text()
            let text = try reader.optional { reader throws(LMDBError) in try reader.text() }
            question = .didReceive(
                Response(
                    request: try RequestRecord(reader.rest),
                    date: date,
                    delivery: delivery,
                    action: action,
                    text: text
                )
            )
        default: throw ByteReader.corrupted
        }
    }
}

/// An ended callback, as the `ended_callbacks` table keeps it for repeated completions.
struct EndedCallbackRecord: Equatable {
    var outcome: CallbackOutcome
    /// The app's answer; nil where the callback ended without one.
    var answer: CallbackAnswer?

    private static let version: UInt8 = 1

    init(outcome: CallbackOutcome, answer: CallbackAnswer?) {
        self.outcome = outcome
        self.answer = answer
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 8)
        writer.put(outcome.rawValue)
        writer.put(answer) { writer, answer in
            switch answer {
            case .present(let options):
                writer.put(UInt8(1))
                writer.put(options.rawValue)
            case .taken:
                writer.put(UInt8(2))
            }
        }
        return writer.sealed()
    }

    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = try ByteReader(row: bytes)
        _ = try reader.version(upTo: Self.version)
        outcome = try reader.choice()
        answer = try reader.optional { reader throws(LMDBError) in
            switch try reader.number(UInt8.self) {
            case 1: .present(PresentationOptions(rawValue: try reader.number()))
            case 2: .taken
            default: throw ByteReader.corrupted
            }
        }
        guard reader.isAtEnd else { throw ByteReader.corrupted }
    }
}
