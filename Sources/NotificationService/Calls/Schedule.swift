internal import BelfryGRPC
internal import BelfryLocking
internal import Faults
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerSchedule(in router: inout Router, _ largeMessages: LargeMessages) {
        router.bidirectional("/belfry.v1.NotificationCenterService/Schedule") { stream in
            Scheduler(stream, self, largeMessages)
        }
    }
}

/// One open `Schedule` stream.
///
/// Each message is carried out as the unary call would be. The stream is read no further while
/// ``Window`` is full, so that a caller who reads no answers costs no more than that.
private final class Scheduler: ServerStreamDelegate {
    /// The messages whose answers the client has not taken yet.
    private struct Window {
        private struct Slot {
            var byteCount: Int
            /// The fields of the `ScheduleResult`; nil until the change is on disk, or refused.
            var result: WireWriter?
        }

        static let limit = 256
        /// An answer to a removal has up to as many bytes as its message.
        static let byteLimit = 256 * 1024

        private var slots: [Slot] = []
        private var byteCount = 0
        /// The number of the first slot.
        private var first = 0

        var isEmpty: Bool { slots.isEmpty }
        var isFull: Bool {
            (slots.count >= Self.limit || byteCount >= Self.byteLimit)
                && !Fault.scheduleWithoutEnd.isPlanted
        }

        /// Takes a message, and gives its number.
        mutating func add(ofBytes byteCount: Int) -> Int {
            slots.append(Slot(byteCount: byteCount))
            self.byteCount += byteCount
            return first + slots.count - 1
        }

        mutating func answer(_ number: Int, _ result: WireWriter) {
            slots[number - first].result = result
        }

        /// Takes the answers up to the first that is missing, as the fields of a
        /// `ScheduleResponse`; nil where there are none.
        mutating func take() -> WireWriter? {
            var response: WireWriter?
            var count = 0
            while count < slots.count, let result = slots[count].result {
                if response == nil { response = WireWriter() }
                response?.put(1, result)
                byteCount -= slots[count].byteCount
                count += 1
            }
            slots.removeFirst(count)
            first += count
            return response
        }
    }

    private struct State {
        var window = Window()
        /// Taken by the first message that can be read, until the stream ends.
        var place: StreamPlace?
        var isSending = false
        /// Whether the window was full after the last message.
        var waitsForRoom = false
        /// Whether a large message waits for its turn, which no later one may overtake.
        var readsLarge = false
        var hasAll = false
        var hasEnded = false
    }

    private let stream: ServerStream
    private let service: NotificationService
    private let largeMessages: LargeMessages
    /// The account for what is added; nil for a caller without a limit.
    private let registrant: Registrant?
    private let connection: ConnectionIdentifier
    private let trace: TraceContext?
    private let state = Guarded(State())

    init(_ stream: ServerStream, _ service: NotificationService, _ largeMessages: LargeMessages) {
        self.stream = stream
        self.service = service
        self.largeMessages = largeMessages
        registrant = service.options.registrant(stream.caller)
        connection = stream.connection
        trace = TraceContext(of: stream)
    }

    // MARK: From the stream

    func received(_ message: RawSpan) {
        let bytes = [UInt8](message)
        guard bytes.count > Router.largestSmallByteCount else { return take(bytes) }
        state.withLock { $0.readsLarge = true }
        stream.pauseReading()
        let owner = TurnOwner(registrant, on: connection)
        let refusal = largeMessages.read(ofBytes: bytes.count, of: owner) { [self] in
            take(bytes)
            let hasRoom = state.withLock { state in
                state.readsLarge = false
                state.waitsForRoom = state.window.isFull
                return !state.waitsForRoom
            }
            if hasRoom { stream.resumeReading() }
        }
        if let refusal { stream.finish(Status(refusal)) }
    }

    func receivedEnd() {
        state.withLock { $0.hasAll = true }
        sendAnswers()
    }

    func sent() {
        state.withLock { $0.isSending = false }
        sendAnswers()
    }

    func ended(cancelled: Bool) {
        state.withLock { state in
            state.place = nil
            state.hasEnded = true
        }
    }

    // MARK: The messages

    private func take(_ bytes: [UInt8]) {
        do throws(Refusal) {
            let act = try Act(bytes)
            let number = state.withLock { state in
                let number = state.window.add(ofBytes: bytes.count)
                state.waitsForRoom = state.window.isFull
                // Pause before anyone can see that there is room again.
                if state.waitsForRoom { stream.pauseReading() }
                return number
            }
            perform(act, as: number)
        } catch {
            stream.finish(Status(error))
        }
    }

    private func takePlace(of app: String) throws(Refusal) {
        guard state.withLock({ $0.place == nil }) else { return }
        let place = try service.scheduleShares.place(for: stream, of: app)
        state.withLock { if !$0.hasEnded { $0.place = place } }
    }

    private func perform(_ act: Act, as number: Int) {
        guard service.connectionShares.take(connection) else {
            return answer(number, .failure(.connectionOverloaded))
        }
        let source = CommandSource(
            registrant: registrant,
            connection: connection.number,
            byteCount: act.byteCount
        )
        CommandSource.$current.withValue(source) {
            do throws(Refusal) {
                try submit(act, as: number)
            } catch  where error.reason == .malformedMessage {
                service.connectionShares.giveBack(connection)
                stream.finish(Status(error))
            } catch {
                done(number, .failure(error))
            }
        }
    }

    private func submit(_ act: Act, as number: Int) throws(Refusal) {
        switch act {
        case .add(let bytes):
            let call = try AddCall<Belfry_V1_AddRequest>(wire: bytes)
            service.noteCall(call)
            let key = try key(call.idempotencyKey, "Add", bytes)
            let request = try call.request(tracedBy: trace)
            let center = try call.centerName()
            try takePlace(of: center.app)
            service.store.add(request, to: center, once: key) { [self] result in
                done(
                    number,
                    result.map { reply in
                        WireWriter { result in result.message(1) { reply.write(to: &$0) } }
                    }
                )
            }
        case .remove(let bytes):
            let request = try Belfry_V1_RemovePendingRequest(wire: bytes)
            service.noteCall(request)
            let key = try key(request.idempotencyKey, "RemovePending", bytes)
            let identifiers = try RequestLimits.identifiers(request.identifiers)
            let center = try CenterName(request.center)
            try takePlace(of: center.app)
            service.store.removePending(identifiers, from: center, once: key) { [self] result in
                done(
                    number,
                    result.map { removed in
                        WireWriter { result in
                            result.message(2) { for name in removed { $0.put(1, present: name) } }
                        }
                    }
                )
            }
        }
    }

    /// The key of the unary call, so that either way of a retry acts once.
    private func key(
        _ text: String,
        _ method: String,
        _ bytes: [UInt8]
    ) throws(Refusal) -> OnceKey? {
        guard !text.isEmpty, !Fault.scheduleKeyIgnored.isPlanted else { return nil }
        return try OnceKey(
            text,
            method: "NotificationCenterService/\(method)",
            request: bytes,
            by: registrant
        )
    }

    // MARK: The answers

    /// Answers a message that had a place in the writer's queue; often on a thread of the store.
    ///
    /// A success has the fields of a `ScheduleResult`.
    private func done(_ number: Int, _ result: Result<WireWriter, Refusal>) {
        service.connectionShares.giveBack(connection)
        answer(number, result)
    }

    private func answer(_ number: Int, _ result: Result<WireWriter, Refusal>) {
        let written =
            switch result {
            case .success(let fields): fields
            case .failure(let refusal): WireWriter { $0.put(3, Belfry_V1_ItemError(refusal)) }
            }
        state.withLock { $0.window.answer(number, written) }
        sendAnswers()
    }

    /// Sends the answers whose turn it is, unless the client has not taken the last ones yet.
    private func sendAnswers() {
        let (response, hasRoom, isDone) = state.withLock { state in
            guard !state.isSending, !state.hasEnded else { return (WireWriter?.none, false, false) }
            let response = state.window.take()
            state.isSending = response != nil
            let hasRoom = state.waitsForRoom && !state.readsLarge && !state.window.isFull
            if hasRoom { state.waitsForRoom = false }
            return (response, hasRoom, state.hasAll && state.window.isEmpty && response == nil)
        }
        if let response { stream.send(response.bytes) }
        if hasRoom { stream.resumeReading() }
        if isDone { stream.finish(.ok) }
    }
}

/// A message of the stream: the bytes of the unary call's request.
private enum Act {
    case add([UInt8])
    case remove([UInt8])

    /// Reads the one field that a message has, without what is in it.
    init(_ message: [UInt8]) throws(Refusal) {
        try Belfry_V1_ScheduleRequest.checkLength(of: message)
        var found: [Act] = []
        var fields = WireFields(message[...])
        do throws(AccessRefusal) {
            while let field = try fields.next(), found.count < 2 {
                switch (field.number, field.value) {
                case (1, .bytes(let bytes)): found.append(.add(Array(bytes)))
                case (2, .bytes(let bytes)): found.append(.remove(Array(bytes)))
                default: break
                }
            }
        } catch {
            throw Belfry_V1_ScheduleRequest.malformed
        }
        guard found.count == 1 else { throw .invalid("act", "must be one of add, remove") }
        self = found[0]
    }

    var byteCount: Int {
        switch self {
        case .add(let bytes), .remove(let bytes): bytes.count
        }
    }
}
