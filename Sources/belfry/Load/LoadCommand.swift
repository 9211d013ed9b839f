internal import ArgumentParser
internal import BelfryGRPC
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol

/// Measures a server under load, and checks that it loses nothing.
struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Measure a server under load, and check that it loses nothing.",
        discussion: """
            Without --rate it keeps a number of calls in flight and measures each from its start. \
            With --rate calls begin at fixed instants, however slow the answers are, and each is \
            measured from the instant at which it should have begun.

            At the end it reads back every request that the server acknowledged, and counts that \
            each that was due had one event. It ends with status 1 where that is not so.

              belfry load --duration 30s --in-flight 64
              belfry load --sweep in-flight=1,16,64 --fill 1000000
              belfry load --rate 1000 --mix add=4,fire=4,remove=1,list=1
              belfry load --batch 256 --centers 1000 --ids random --json

            The requests belong to apps of their own, named after --app with '.load-1' and so on, \
            which the command unregisters before and after. It shares the machine with a server on \
            it: the last line of each stage says how much of a processor it took.
            """
    )

    @OptionGroup(title: "Load")
    var load: LoadOptions

    @Option(
        help: ArgumentHelp(
            "Write the distributions as HdrHistogram's tools read them.",
            discussion: "Each goes to PREFIX-STAGE-OPERATION.hgrm, in microseconds.",
            valueName: "prefix"
        )
    )
    var hgrm: String?

    @Option(
        help: ArgumentHelp(
            "Measure the disk of this directory, such as the server's data directory.",
            valueName: "directory"
        ),
        completion: .directory
    )
    var disk = "."

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            let info = try await session.server.serverInfo()
            guard !load.mix.has(.fire) || info.clock.kind != .manual else {
                session.output.complain("--mix fire needs a server on the system's clock")
                throw ExitReason.usage.code
            }
            let facts: MachineFacts
            do {
                facts = try MachineFacts(directory: disk)
            } catch {
                session.output.complain("--disk \(disk): no file can be written there")
                throw ExitReason.usage.code
            }
            let plan = load.plan
            let report = LoadReport(output: session.output)
            try report.begin(plan, server: "\(info.version) at \(session.target)", facts: facts)
            let channels = (0..<load.connections).map { _ in Channel(target: session.target) }
            defer { for channel in channels { channel.close() } }
            let isSound = try await session.withLoadCenters(plan.centers, channels) { centers in
                try await measure(LoadGenerator(plan: plan, centers: centers), session, report)
            }
            guard isSound else { throw ExitReason.refused.code }
        }
    }

    /// Runs the stages, and says whether the server kept what it acknowledged.
    private func measure(
        _ generator: LoadGenerator,
        _ session: Session,
        _ report: LoadReport
    ) async throws -> Bool {
        let plan = generator.plan
        if plan.fill > 0 {
            session.output.note("Adding \(plan.fill) requests.")
            let output = session.output
            try await generator.fill { count in output.note("  \(count)") }
        }
        return try await withThrowingTaskGroup { group in
            if plan.mix.has(.fire) {
                let (starts, started) = AsyncStream<Void>.makeStream()
                group.addTask {
                    defer { started.finish() }
                    try await generator.subscribe { started.yield() }
                }
                var left = plan.centers
                for await _ in starts {
                    left -= 1
                    if left == 0 { break }
                }
                if left > 0 { try await group.waitForAll() }
            }
            for (place, stage) in plan.stages.enumerated() {
                session.output.note("Measuring \(stage.name).")
                let measurement = try await generator.run(stage)
                try report.print(measurement)
                try write(measurement.meter, place: place, session.output)
            }
            session.output.note("Reading back what was acknowledged.")
            if plan.mix.has(.fire) { try await generator.waitForFirings() }
            group.cancelAll()
            let verification = try await generator.verify()
            try report.print(verification)
            return verification.isSound
        }
    }

    /// Writes the distributions of a stage, if asked to.
    private func write(_ meter: LoadMeter, place: Int, _ output: Output) throws {
        guard let hgrm else { return }
        for (name, text) in LoadReport.distributions(meter) {
            let path = "\(hgrm)-\(place + 1)-\(name).hgrm"
            do {
                try text.write(toFile: path, atomically: true, encoding: .utf8)
            } catch {
                output.complain("\(path): \(error.reason)")
                throw ExitReason.badData.code
            }
        }
    }
}

extension Session {
    /// Runs `body` with centers that exist for it alone, each of which may notify.
    ///
    /// The centers' apps are named after the session's app. They are unregistered before and after,
    /// also when `body` throws.
    fileprivate func withLoadCenters<Result>(
        _ count: Int,
        _ channels: [Channel],
        _ body: ([NotificationCenterClient]) async throws -> Result
    ) async throws -> Result {
        let centers = (0..<count).map { place in
            var center = center
            center.appID += ".load-\(place + 1)"
            return NotificationCenterClient(
                channel: channels[place % channels.count],
                center: center,
                options: calls
            )
        }
        // Take longer for calls: a load leaves millions of requests, which are not removed in the
        // time of a call.
        var patient = calls
        patient.timeout = calls.timeout.map { max($0, .seconds(600)) }
        let installation = InstallationClient(channel: channel, options: patient)
        func unregister() async throws(ClientError) {
            for client in centers {
                do throws(ClientError) {
                    _ = try await installation.unregisterApp(client.center)
                } catch  where error.code == .notFound {
                    // Ignore the refusal: nothing is left of an earlier load.
                }
            }
        }
        try await unregister()
        for client in centers {
            // Ask for a quiet grant, which needs no answer of the person.
            let answer = try await client.requestAuthorization([.provisional, .alert], wait: .zero)
            guard answer.granted else {
                output.complain("the person does not allow \(client.center.appID) to notify")
                throw ExitReason.notPermitted.code
            }
        }
        let result: Result
        do {
            result = try await body(centers)
        } catch {
            try? await unregister()
            throw error
        }
        try await unregister()
        return result
    }
}
