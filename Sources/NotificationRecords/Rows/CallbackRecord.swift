package import NotificationCore

package struct CallbackRecord: SealedRow, Equatable {
    /// A question to the app or to one of its extensions.
    package enum Question: Equatable {
        /// How to present an occurrence, which is arriving until the answer.
        case willPresent(EventRecord.Fired)
        /// To take a response of the person.
        case didReceive(Response)
        /// To a service extension: to change the content of a push before it is delivered.
        case service(Service)
        /// To work on a push that waits (BG-2).
        case backgroundPush(RequestNumber)
        /// To a content extension: to handle the person's act on an open notification.
        case content(ContentAct)

        /// How long the app may take to answer.
        package var nanoseconds: Int64 {
            switch self {
            case .willPresent: Limits.willPresentNanoseconds
            case .didReceive: Limits.responseNanoseconds
            case .service: Limits.serviceExtensionNanoseconds
            case .backgroundPush: Limits.backgroundNanoseconds
            case .content: Limits.contentAnswerNanoseconds
            }
        }

        /// The extension that is asked; nil where the app is.
        package var asked: (kind: AppExtension.Kind, name: String)? {
            switch self {
            case .willPresent, .didReceive, .backgroundPush: nil
            case .service: (.service, "")
            case .content(let act): (.content, act.contentExtension)
            }
        }
    }

    /// A question to a service extension.
    package struct Service: Equatable {
        /// The push, which is a row of `service_arrivals`.
        package var arrival: CallbackNumber
        /// Whether the extension was told that its time ends, or need not be told.
        package var isExpiring: Bool

        package init(arrival: CallbackNumber, isExpiring: Bool = false) {
            self.arrival = arrival
            self.isExpiring = isExpiring
        }
    }

    /// The person's act in a presentation, about which a content extension is asked (§19.2).
    package struct ContentAct: Equatable {
        /// The presentation; it may be closed meanwhile.
        package var presentation: PresentationIdentifier
        /// The identifier of the extension that is asked.
        package var contentExtension: String
        package var launch: AppLaunch
        /// The response that the app is told, if it is.
        package var response: Response

        package init(
            presentation: PresentationIdentifier,
            contentExtension: String,
            launch: AppLaunch,
            response: Response
        ) {
            self.presentation = presentation
            self.contentExtension = contentExtension
            self.launch = launch
            self.response = response
        }
    }

    /// A response of the person to a notification.
    ///
    /// The response holds the request itself: the notification may no longer exist when the app
    /// takes the response.
    package struct Response: Equatable {
        package var request: RequestRecord
        package var date: WallInstant
        package var delivery: DeliveryNumber
        package var action: String
        /// The text that the person typed; nil where the action takes none.
        package var text: String?

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

    package var openedAt: WallInstant
    package var deadline: ElapsedInstant
    package var question: Question

    package init(openedAt: WallInstant, deadline: ElapsedInstant, question: Question) {
        self.openedAt = openedAt
        self.deadline = deadline
        self.question = question
    }

    /// About how many bytes the app is told for the callback.
    package var byteCount: Int {
        switch question {
        case .willPresent, .service: 64
        case .backgroundPush: 64 + Limits.payloadBytes
        case .content(let act): 64 + act.response.byteCount
        case .didReceive(let response): 64 + response.byteCount
        }
    }

    /// When something is to be done about the callback: at its deadline, or a little before where
    /// an extension is told then that its time ends.
    package var due: ElapsedInstant {
        guard case .service(let service) = question, !service.isExpiring else { return deadline }
        return deadline.advanced(byNanoseconds: -Limits.expiringNanoseconds)
    }

    /// How long the callback has been open.
    package func nanosecondsOpen(at now: Now) -> Int64 {
        let opened = deadline.advanced(byNanoseconds: -question.nanoseconds)
        return now.elapsed.nanoseconds(since: opened)
    }

    package func write(to writer: inout ByteWriter) {
        openedAt.write(to: &writer)
        deadline.write(to: &writer)
        switch question {
        case .willPresent(let fired):
            writer.put(UInt8(1))
            fired.write(to: &writer)
        case .didReceive(let response):
            writer.put(UInt8(2))
            response.write(to: &writer)
        case .service(let service):
            writer.put(UInt8(3))
            writer.put(service.arrival)
            writer.put(service.isExpiring)
        case .backgroundPush(let push):
            writer.put(UInt8(4))
            writer.put(push)
        case .content(let act):
            writer.put(UInt8(5))
            act.presentation.write(to: &writer)
            writer.put(act.contentExtension)
            writer.put(act.launch.rawValue)
            act.response.write(to: &writer)
        }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        openedAt = try reader.value()
        deadline = try reader.value()
        switch try reader.number(UInt8.self) {
        case 1:
            question = .willPresent(try EventRecord.Fired(&reader))
        case 2:
            question = .didReceive(try Response(&reader))
        case 3:
            question = .service(
                Service(arrival: try reader.serial(), isExpiring: try reader.bool())
            )
        case 4:
            question = .backgroundPush(try reader.serial())
        case 5:
            question = .content(
                ContentAct(
                    presentation: try reader.value(),
                    contentExtension: try reader.text(),
                    launch: try reader.choice(),
                    response: try Response(&reader)
                )
            )
        default: throw .undecodable
        }
    }
}

extension CallbackRecord.Response {
    /// About how many bytes the app or the extension is told.
    fileprivate var byteCount: Int {
        request.request.byteCount + (text?.utf8.count ?? 0)
    }

    /// Writes the response at the end of a row.
    fileprivate func write(to writer: inout ByteWriter) {
        date.write(to: &writer)
        writer.put(delivery)
        writer.put(action)
        text.write(to: &writer)
        writer.put(bytes: request.bytes)
    }

    /// Reads the response at the end of a row.
    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        date = try reader.value()
        delivery = try reader.serial()
        action = try reader.text()
        text = try reader.value()
        request = try RequestRecord(reader.takeRest())
    }
}

extension PresentationIdentifier: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(high)
        writer.put(low)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(high: try reader.number(), low: try reader.number())
    }
}

/// An ended callback, as the `ended_callbacks` table keeps it for repeated completions.
package struct EndedCallbackRecord: SealedRow, Equatable {
    package var outcome: CallbackOutcome
    /// The app's answer; nil where the callback ended without one.
    package var answer: CallbackAnswer?

    package init(outcome: CallbackOutcome, answer: CallbackAnswer?) {
        self.outcome = outcome
        self.answer = answer
    }

    package func write(to writer: inout ByteWriter) {
        writer.put(outcome.rawValue)
        writer.put(answer) { writer, answer in
            switch answer {
            case .present(let options):
                writer.put(UInt8(1))
                writer.put(options.rawValue)
            case .taken:
                writer.put(UInt8(2))
            case .content(let fingerprint, let outcome):
                writer.put(UInt8(3))
                writer.put(fingerprint)
                writer.put(outcome.rawValue)
            case .fetched(let result):
                writer.put(UInt8(4))
                writer.put(result.rawValue)
            case .option(let answer):
                writer.put(UInt8(5))
                writer.put(answer.rawValue)
            }
        }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        outcome = try reader.choice()
        answer = try reader.optional { reader throws(RowProblem) in
            switch try reader.number(UInt8.self) {
            case 1: .present(PresentationOptions(rawValue: try reader.number()))
            case 2: .taken
            case 3: .content(try reader.number(), try reader.choice())
            case 4: .fetched(try reader.choice())
            case 5: .option(try reader.choice())
            default: throw .undecodable
            }
        }
    }
}
