package import NotificationCore

/// An open callback, as the `callbacks` table keeps it.
package struct CallbackRecord: TableRow, Equatable {
    /// What the app is asked.
    package enum Question: Equatable {
        /// How to present an occurrence, which is arriving until the answer.
        case willPresent(EventRecord.Fired)
        /// To take a response of the person.
        case didReceive(Response)

        /// How long the app may take to answer.
        package var nanoseconds: Int64 {
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
    package struct Response: Equatable {
        /// The request, as it was delivered.
        package var request: RequestRecord
        /// The date that the person saw.
        package var date: WallInstant
        /// The number of the delivery.
        package var delivery: DeliveryNumber
        /// The identifier of the action.
        package var action: String
        /// The text that was typed; nil where there is none.
        package var text: String?

        /// A response to a delivery of a request.
        package init(
            request: RequestRecord,
            date: WallInstant,
            delivery: DeliveryNumber,
            action: String,
            text: String?
        ) {
            self.request = request
            self.date = date
            self.delivery = delivery
            self.action = action
            self.text = text
        }
    }

    /// When the callback was opened.
    package var openedAt: WallInstant
    /// When the callback expires.
    package var deadline: ElapsedInstant
    /// What the app is asked.
    package var question: Question

    private static let version: UInt8 = 1

    /// The row of a callback that is opened.
    package init(openedAt: WallInstant, deadline: ElapsedInstant, question: Question) {
        self.openedAt = openedAt
        self.deadline = deadline
        self.question = question
    }

    /// About how many bytes the app is told for the callback.
    package var byteCount: Int {
        switch question {
        case .willPresent: 64
        case .didReceive(let response):
            64 + response.request.request.content.byteCount + (response.text?.utf8.count ?? 0)
        }
    }

    /// How long the callback has been open.
    package func nanosecondsOpen(at now: Now) -> Int64 {
        let opened = deadline.advanced(byNanoseconds: -question.nanoseconds)
        return now.elapsed.nanoseconds(since: opened)
    }

    /// The row as it is in the file.
    package var bytes: [UInt8] {
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

    /// Reads a row of this version or of an older version.
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        _ = try reader.version(upTo: Self.version)
        openedAt = WallInstant(nanoseconds: try reader.number())
        deadline = ElapsedInstant(nanoseconds: try reader.number())
        switch try reader.number(UInt8.self) {
        case 1:
            question = .willPresent(try EventRecord.Fired(&reader))
            guard reader.isAtEnd else { throw .undecodable }
        case 2:
            let date = WallInstant(nanoseconds: try reader.number())
            let delivery: DeliveryNumber = try reader.serial()
            let action = try reader.text()
            let text = try reader.optional { reader throws(RowProblem) in try reader.text() }
            question = .didReceive(
                Response(
                    request: try RequestRecord(reader.rest),
                    date: date,
                    delivery: delivery,
                    action: action,
                    text: text
                )
            )
        default: throw .undecodable
        }
    }
}

/// An ended callback, as the `ended_callbacks` table keeps it for repeated completions.
package struct EndedCallbackRecord: TableRow, Equatable {
    /// How the callback ended.
    package var outcome: CallbackOutcome
    /// The app's answer; nil where the callback ended without one.
    package var answer: CallbackAnswer?

    private static let version: UInt8 = 1

    /// The row of a callback that ended.
    package init(outcome: CallbackOutcome, answer: CallbackAnswer?) {
        self.outcome = outcome
        self.answer = answer
    }

    /// The row as it is in the file.
    package var bytes: [UInt8] {
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

    /// Reads a row of this version or of an older version.
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        _ = try reader.version(upTo: Self.version)
        outcome = try reader.choice()
        answer = try reader.optional { reader throws(RowProblem) in
            switch try reader.number(UInt8.self) {
            case 1: .present(PresentationOptions(rawValue: try reader.number()))
            case 2: .taken
            default: throw .undecodable
            }
        }
        guard reader.isAtEnd else { throw .undecodable }
    }
}
