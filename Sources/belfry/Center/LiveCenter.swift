internal import ArgumentParser
internal import BelfryGRPC
internal import Dispatch
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// A live notification center on a terminal: keys, frames and signals become events, which are
/// handled one by one.
struct LiveCenter {
    /// The time before a cut watch is retried: the first pause, doubled each time, at most the
    /// last.
    private static let pauses = (first: Duration.milliseconds(250), last: Duration.seconds(2))

    /// The number of dismissals from which on a person would wonder what the program waits for.
    private static let longDismissal = 200

    private let person: DeviceClient
    private let output: Output
    private let ahead: TimeInterval
    private let events: AsyncStream<CenterEvent>
    private let event: AsyncStream<CenterEvent>.Continuation
    private var screen = CenterScreen()
    private var decoder = KeyDecoder()
    private var drawn: [String] = []
    private var watch: Task<Void, Never>?
    private var watchNumber = 0
    private var pause = Self.pauses.first

    /// Makes a center of a device.
    ///
    /// `output` says how it is coloured. `ahead` is how many seconds the server's clock is ahead of
    /// the machine's.
    init(person: DeviceClient, output: Output, ahead: TimeInterval) {
        self.person = person
        self.output = output
        self.ahead = ahead
        (events, event) = AsyncStream.makeStream()
    }

    /// Shows the center until the person leaves.
    ///
    /// - Throws: ``ClientError`` when the server refuses the watch, or an `ExitCode` when a signal
    ///   ends the program.
    mutating func run() async throws {
        let sources = listen()
        let ticks = Task { [event] in
            while (try? await Task.sleep(for: .seconds(1))) != nil { event.yield(.tick) }
        }
        let acts = Acts(of: person, event)
        defer {
            sources.keys.cancel()
            for source in sources.signals { source.cancel() }
            for task in [ticks, watch] + acts.tasks { task?.cancel() }
        }
        let signal = try await use(acts)
        // Let the last acts of the person still be performed.
        try await finish(acts)
        if let signal { throw ExitCode(128 + signal) }
    }

    /// Shows the center and handles events, until the person leaves.
    ///
    /// - Returns: The signal that ends the program; nil where a key does.
    private mutating func use(_ acts: Acts) async throws -> Int32? {
        let terminal = try Terminal()
        defer { terminal.restore() }
        follow()
        try draw()
        for await event in events {
            if case .signal(let number) = event { return number }
            guard try take(event, acts) else { break }
            try draw()
        }
        return nil
    }

    /// Waits for the acts of the person, also for the dismissals that can still be taken back.
    ///
    /// - Throws: An `ExitCode` when dismissals are left undone, or when another signal comes.
    private mutating func finish(_ acts: Acts) async throws {
        let waiting = screen.list.dismissals.takeDue(at: .distantFuture)
        if !waiting.isEmpty { acts.begin(.dismiss(waiting)) }
        if waiting.count >= Self.longDismissal { output.note("Dismissing \(waiting.count).") }
        acts.finish { [event] in event.yield(.performed) }
        var reason: ExitReason?
        for await event in events {
            switch event {
            case .kept(let references):
                output.complain("\(references.count) not dismissed: No server answers.")
                reason = .unreachable
            case .failed(.dismiss(let references), let because):
                output.complain("\(references.count) not dismissed: \(because)")
                reason = reason ?? .refused
            case .signal(let number): throw ExitCode(128 + number)
            case .performed:
                if let reason { throw reason.code }
                return
            default: break
            }
        }
    }

    /// Handles one event; false when the person leaves.
    private mutating func take(
        _ event: CenterEvent,
        _ acts: Acts
    ) throws -> Bool {
        switch event {
        case .input(let bytes):
            if bytes.isEmpty { return false }
            for key in decoder.decode(bytes) {
                switch screen.press(key) {
                case .quit: return false
                case .some(let wanted): acts.begin(wanted)
                case nil: break
                }
            }
        case .frames(let arrived, let number):
            guard number == watchNumber else { break }
            pause = Self.pauses.first
            if screen.apply(arrived.take(), at: Date()) { follow() }
        case .ended(let error, let number):
            guard number == watchNumber else { break }
            if let error, !error.isCut { throw error }
            screen.lose(because: error.map(\.cut) ?? "it stopped")
            follow(after: pause)
            pause = min(pause * 2, Self.pauses.last)
        case .opened(let presentation): screen.open(presentation)
        case .failed(let intent, let reason): screen.fail(intent, because: reason)
        case .note(let note): if !note.text.isEmpty { screen.note = note }
        case .resized: drawn = []
        case .kept(let references): screen.list.dismissals.keep(references)
        case .tick:
            if let due = screen.pass(to: Date()) { acts.begin(due) }
        case .signal, .performed: break
        }
        return true
    }

    /// Opens a new watch of the device, which begins with a snapshot.
    private mutating func follow(after delay: Duration = .zero) {
        watch?.cancel()
        watchNumber += 1
        screen.look.partialSnapshot = nil
        watch = Task { [person, event, number = watchNumber] in
            do {
                try await Task.sleep(for: delay)
                let arrived = ArrivedFrames()
                for try await frames in person.watch() where arrived.add(frames) {
                    event.yield(.frames(arrived, watch: number))
                }
                event.yield(.ended(nil, watch: number))
            } catch let error as ClientError {
                event.yield(.ended(error, watch: number))
            } catch {
                // Drop the event: a newer watch replaced this watch.
            }
        }
    }

    /// Begins to listen to the keyboard and to signals.
    private func listen() -> (keys: any DispatchSourceRead, signals: [SignalSource]) {
        let keys = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
        keys.setEventHandler { [event] in
            let bytes = Terminal.read()
            event.yield(.input(bytes))
            // Stop reading: a closed input would be readable for ever.
            if bytes.isEmpty { keys.cancel() }
        }
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGWINCH].map { number in
            // The default action would end the program without restoring the terminal.
            SignalSource(number) { [event] in
                event.yield(number == SIGWINCH ? .resized : .signal(number))
            }
        }
        keys.resume()
        return (keys, signals)
    }

    private mutating func draw() throws {
        let size = Terminal.size ?? (rows: 24, columns: 80)
        let dates = DateText(now: Date() + ahead, zone: ShellZone.current.zone)
        let renderer = CenterRenderer(dates: dates, showsPictures: output.style.isColored)
        screen.look.scroll = min(
            screen.look.scroll,
            renderer.scrollLimit(screen, rows: size.rows, columns: size.columns)
        )
        let lines = renderer.lines(screen, rows: size.rows, columns: size.columns)
            .map { $0.styled(output.style) }
        try Terminal.draw(lines, over: drawn)
        drawn = lines
    }
}

extension ClientError {
    /// Why an act was not done, for the person.
    var text: String {
        switch code {
        case .unavailable: "No server answers."
        case .deadlineExceeded: "The server did not answer in time."
        default: description
        }
    }

    /// Whether a new watch may succeed.
    fileprivate var isCut: Bool {
        code == .unavailable || message.hasPrefix("SUBSCRIBER_STALLED")
    }

    /// The reason why the watch was cut, in a few words.
    fileprivate var cut: String {
        code == .unavailable ? "it does not answer" : "this was too slow"
    }
}

/// The acts of the person that are being performed.
private struct Acts {
    /// The acts, and the dismissals, which may be many.
    private let others: AsyncStream<CenterIntent>.Continuation
    private let dismissals: AsyncStream<CenterIntent>.Continuation
    let tasks: [Task<Void, Never>?]

    /// Performs acts in the order of the keys; dismissals do not keep the others waiting.
    init(of person: DeviceClient, _ event: AsyncStream<CenterEvent>.Continuation) {
        let streams = (0..<2).map { _ in AsyncStream<CenterIntent>.makeStream() }
        (others, dismissals) = (streams[0].continuation, streams[1].continuation)
        tasks = streams.map(\.stream).map { intents in
            Task {
                for await intent in intents { event.yield(await person.perform(intent)) }
            }
        }
    }

    func begin(_ intent: CenterIntent) {
        if case .dismiss = intent { dismissals.yield(intent) } else { others.yield(intent) }
    }

    /// Takes no more acts, and says when all are performed.
    func finish(_ done: @escaping @Sendable () -> Void) {
        others.finish()
        dismissals.finish()
        Task { [tasks] in
            for task in tasks { await task?.value }
            done()
        }
    }
}

extension DeviceClient {
    /// Performs an act of the person and gives its result: a notification that is open now, or a
    /// note, which is empty when the screen shows the result.
    fileprivate func perform(_ intent: CenterIntent) async -> CenterEvent {
        do throws(ClientError) {
            switch intent {
            case .open(let notification): return .opened(try await open(notification))
            case .dismiss(let notifications): return await dismiss(all: notifications)
            default: break
            }
            return .note(CenterScreen.Note(text: try await result(of: intent)))
        } catch {
            return .failed(intent, because: error.text)
        }
    }

    private func result(of intent: CenterIntent) async throws(ClientError) -> String {
        switch intent {
        case .respond(let notification, let act):
            return Self.text(try await respond(act, to: notification), of: act)
        case .act(let presentation, let act):
            return Self.text(try await respond(act, inPresentation: presentation), of: act)
        case .close(let presentation):
            try await close(presentation: presentation)
            return ""
        case .swipeAway(let notification):
            _ = try await dismiss(.notification(notification), .swipeAway)
            return ""
        case .snooze(let notification, let seconds):
            _ = try await snooze(notification, .duration(.with { $0.seconds = seconds }))
            return "Snoozed for \(DurationText.format(.seconds(seconds)))."
        case .answer(let prompt, let answer):
            _ = try await answerPrompt(prompt, answer)
            return answer == .allow || answer == .keep ? "Allowed." : "Not allowed."
        case .set(let change):
            try await set(change.after)
            return ""
        case .lock(let locked):
            _ = try await update(["locked"], to: .with { $0.locked = locked })
            return ""
        case .open, .dismiss, .quit: return ""
        }
    }

    private func set(_ value: SettingsChange.Value) async throws(ClientError) {
        switch value {
        case .settings(let settings, let path, let app):
            _ = try await updateSettings(of: app, settings, paths: [path])
        case .grouping(let grouping, let app):
            _ = try await updateSettings(of: app, paths: [], grouping: grouping)
        case .device(let state, let path): _ = try await update([path], to: state)
        case .ownSettings(let app): try await openSettings(of: app)
        }
    }

    /// The result of an act, for the person.
    private static func text(
        _ outcome: Belfry_V1_RespondOutcome,
        of act: Belfry_V1_RespondRequest.OneOf_Act
    ) -> String {
        switch outcome {
        case .waitingForUnlock: "Waits until the device is unlocked: l unlocks it."
        case .snoozed: "Snoozed."
        // Say nothing: the screen shows the extension's answer.
        case .handledByExtension: ""
        // Say nothing where the app opens, which a frame reports.
        case .sent, .unspecified, .UNRECOGNIZED: act == .defaultAction(.init()) ? "" : "Sent."
        }
    }
}
