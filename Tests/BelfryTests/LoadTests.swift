internal import ArgumentParser
internal import BelfryGRPC
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import TestSupport
internal import Testing

@testable internal import belfry

@Suite("The options of a load")
struct LoadOptionsTests {
    @Test(
        "A mix is operations with weights",
        arguments: [
            ("add", "add"), ("add=7", "add"), ("add=80,fire=10", "add=80,fire=10"),
            ("remove,list", "remove=1,list=1"),
        ]
    )
    func mix(text: String, canonical: String) throws {
        #expect(try #require(LoadMix(argument: text)).description == canonical)
    }

    @Test(
        "What is not a mix is refused",
        arguments: ["", "ad", "add=0", "add=-1", "add=x", "add,,list", "add,add=2", "add=1000001"]
    )
    func wrongMix(text: String) {
        #expect(LoadMix(argument: text) == nil)
    }

    @Test("A mix draws by weight")
    func draw() throws {
        let mix = try #require(LoadMix(argument: "add=3,list=1"))
        var generator = LoadRandom(seed: 1)
        let lists = (0..<4_000).count { _ in mix.draw(using: &generator) == .list }
        #expect((900...1_100).contains(lists))
        #expect(mix.has(.add) && mix.has(.list) && !mix.has(.fire))
    }

    @Test("A sweep makes one stage for each value")
    func sweep() throws {
        let swept = try LoadCommand.parse(["--sweep", "in-flight=1,16"]).load.plan.stages
        #expect(swept == [LoadStage(inFlight: 1), LoadStage(inFlight: 16)])
        let rates = try LoadCommand.parse(["--sweep", "rate=0.5,20", "--in-flight", "8"])
        #expect(
            rates.load.plan.stages
                == [LoadStage(inFlight: 8, rate: 0.5), LoadStage(inFlight: 8, rate: 20)]
        )
        let plain = try LoadCommand.parse([]).load.plan.stages
        #expect(plain == [LoadStage(inFlight: 64)])
        let open = try LoadCommand.parse(["--rate", "100"]).load.plan.stages
        #expect(open == [LoadStage(inFlight: 1_024, rate: 100)])
    }

    @Test(
        "Wrong options are refused, each by its name",
        arguments: [
            (["--sweep", "in-flight"], "sweep"), (["--sweep", "batch=1"], "sweep"),
            (["--sweep", "in-flight=1,,2"], "sweep"), (["--sweep", "in-flight=0.5"], "sweep"),
            (["--sweep", "rate=nan"], "sweep"), (["--sweep", "rate=-1"], "sweep"),
            (["--sweep", "in-flight=1e300"], "in-flight"), (["--rate", "0"], "rate"),
            (["--rate", "1e-300"], "rate"), (["--rate", "inf"], "rate"),
            (["--rate", "nan"], "rate"),
            (["--in-flight", "0"], "in-flight"), (["--batch", "1001"], "batch"),
            (["--centers", "0"], "centers"), (["--connections", "0"], "connections"),
            (["--fill", "-1"], "fill"), (["--duration", "0s"], "duration"),
            (["--rate", "1", "--sweep", "rate=2"], "rate"),
            (["--in-flight", "1", "--sweep", "in-flight=2"], "in-flight"),
        ]
    )
    func refuse(arguments: [String], flag: String) {
        let error = #expect(throws: (any Error).self) { try LoadCommand.parse(arguments) }
        #expect(error.map { LoadCommand.message(for: $0) }?.contains("--\(flag)") == true)
    }

    @Test(
        "Times are written with three digits",
        arguments: [
            (0, "0.00us"), (1_234, "1.23us"), (243_400, "243us"), (999_600, "1000us"),
            (2_614_000, "2.61ms"), (9_996_000, "10.0ms"), (26_140_000, "26.1ms"),
            (1_204_000_000, "1.20s"), (61_000_000_000, "61.0s"),
        ] as [(UInt64, String)]
    )
    func times(nanoseconds: UInt64, text: String) {
        #expect(LoadText.duration(nanoseconds) == text)
    }
}

@Suite("What a load knows of its requests")
struct LoadLedgerTests {
    private var ledger = LoadLedger(seed: 1, mix: .adds, centers: 2)

    @Test("Requests go among the centers, those of a batch to one")
    mutating func centers() {
        let calls = (0..<3).map { _ in ledger.add(2, fires: false) }
        let centers = calls.map { call in
            if case .add(let center, _, _) = call { center } else { -1 }
        }
        #expect(centers == [0, 1, 0])
        #expect(ledger.entries.map(\.center) == [0, 0, 1, 1, 0, 0])
    }

    @Test("What may have happened is neither expected nor excluded")
    mutating func outcomes() throws {
        _ = ledger.add(5, fires: false)
        for (request, outcome) in [
            LoadLedger.Outcome.acknowledged, .refused, .unknown, .acknowledged, .acknowledged,
        ].enumerated() {
            ledger.added(request, outcome)
        }
        ledger.removed(3, .acknowledged)
        ledger.removed(4, .unknown)
        ledger.replaced(0, by: 1, .unknown)
        let states = ledger.entries.map(\.state)
        #expect(states == [.present, .absent, .unknown, .absent, .unknown])
        #expect(ledger.entries[0].version == 0)
        #expect(ledger.entries[0].otherVersion == 1)
    }

    @Test("A firing counts once, also where its event comes before the answer")
    mutating func firings() {
        _ = ledger.add(3, fires: true)
        ledger.added(0, .acknowledged)
        ledger.fired(0)
        ledger.fired(1)
        ledger.added(1, .acknowledged)
        ledger.added(2, .refused)
        ledger.fired(0)
        ledger.fired(99)
        #expect(ledger.expectedFirings == 2)
        #expect(ledger.seenFirings == 2)
        #expect(ledger.entries.map(\.firings) == [2, 1, 0])
    }

    @Test(
        "A request is known again from what the server sends",
        arguments: LoadIdentifiers.allCases
    )
    func requests(identifiers: LoadIdentifiers) throws {
        let requests = LoadRequests(identifiers: identifiers, seed: 7)
        let names = (0..<1_000).map { requests.identifier(of: $0) }
        #expect(Set(names).count == 1_000)
        #expect((names == names.sorted()) == (identifiers == .sequential))
        var request = requests.request(42, version: 3, due: nil)
        #expect(request.content.body.utf8.count == 256)
        let known = try #require(requests.number(of: request))
        #expect(known.number == 42 && known.version == 3)
        request.identifier = requests.identifier(of: 43)
        #expect(requests.number(of: request) == nil)
    }
}

@Suite("A load from end to end", .timeLimit(.minutes(5)))
struct LoadProgramTests {
    let program: Program

    init() throws { program = try Program() }

    /// The objects that a run printed, by name.
    private func objects(_ run: Program.Run) throws -> [(name: String, value: [String: Any])] {
        try run.lines.map { line in
            let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let object = try #require((json as? [String: [String: Any]])?.first)
            return (object.key, object.value)
        }
    }

    @Test("It measures each operation, and reads back what was acknowledged")
    func sound() async throws {
        let server = try await program.serve()
        let prefix = "\(program.home.path)/load"
        let run = try await program.run(
            "load",
            "--rate",
            "200",
            "--duration",
            "1s",
            "--warmup",
            "100ms",
            "--centers",
            "3",
            "--connections",
            "2",
            "--mix",
            "add=3,fire=2,replace=2,remove=2,list=1",
            "--ids",
            "random",
            "--seed",
            "5",
            "--fill",
            "20",
            "--hgrm",
            prefix,
            "--json",
            "--disk",
            program.home.path
        )
        #expect(run.status == 0, "\(run.output) \(run.errors)")
        let printed = try objects(run)
        #expect(printed.map(\.name) == ["load", "stage", "verification"])
        #expect(printed[0].value["seed"] as? String == "5")
        let operations = try #require(printed[1].value["operations"] as? [String: [String: Any]])
        #expect(Set(operations.keys) == ["add", "fire", "replace", "remove", "list"])
        let counts = operations.values.compactMap { $0["count"] as? Int }
        let unsent = try #require(printed[1].value["unsent"] as? Int)
        #expect(counts.reduce(unsent, +) == 200)
        #expect(operations.values.allSatisfy { ($0["errors"] as? [String: Int])?.isEmpty == true })
        let verification = printed[2].value
        #expect((verification["problems"] as? [Any])?.isEmpty == true)
        #expect(try #require(verification["fired"] as? Int) > 0)
        #expect(try #require(verification["pending"] as? Int) > 0)
        let distribution = try String(contentsOfFile: "\(prefix)-1-add.hgrm", encoding: .utf8)
        #expect(distribution.contains("1/(1-Percentile)"))
        // It leaves nothing behind.
        let apps = try await program.run("device", "apps", "--json")
        #expect(!apps.output.contains(".load-"))
        _ = await server.end(by: SIGTERM)
    }

    @Test("Over a stream it measures and reads back the same")
    func streamed() async throws {
        let server = try await program.serve()
        let run = try await program.run(
            "load",
            "--stream",
            "--in-flight",
            "8",
            "--duration",
            "500ms",
            "--warmup",
            "100ms",
            "--mix",
            "add=3,replace,remove",
            "--json",
            "--disk",
            program.home.path
        )
        #expect(run.status == 0, "\(run.output) \(run.errors)")
        let printed = try objects(run)
        let operations = try #require(printed[1].value["operations"] as? [String: [String: Any]])
        #expect(Set(operations.keys) == ["add", "replace", "remove"])
        #expect(operations.values.allSatisfy { ($0["errors"] as? [String: Int])?.isEmpty == true })
        #expect((printed[2].value["problems"] as? [Any])?.isEmpty == true)
        let several = try await program.run("load", "--stream", "--centers", "2")
        #expect(several.status == 64 && several.errors.contains("--stream has neither"))
        _ = await server.end(by: SIGTERM)
    }

    @Test("It tells of requests that are gone although they were acknowledged")
    func lost() async throws {
        let server = try await program.serve()
        let load = try program.start([
            "load", "--duration", "1s", "--warmup", "500ms", "--batch", "10", "--in-flight", "2",
        ])
        let channel = Channel(target: "unix:\(program.socket)")
        defer { channel.close() }
        var center = Belfry_V1_Center()
        center.appID = "org.belfry.cli.load-1"
        let thief = NotificationCenterClient(channel: channel, center: center)
        var removed: [String] = []
        while removed.isEmpty {
            // The center does not exist until the load has begun.
            guard let page = try? await thief.listPending(pageSize: 3) else { continue }
            removed = try await thief.removePending(page.requests.map(\.request.identifier))
        }
        let run = await load.end()
        #expect(run.status == 1)
        #expect(
            run.output.contains("\(removed.count) was acknowledged and is not pending, such as")
        )
        _ = await server.end(by: SIGTERM)
    }

    @Test("Without a server it ends at once")
    func unreachable() async throws {
        #expect(try await program.run("load", "--timeout", "1s").status == 69)
    }

    @Test("Due requests need the system's clock")
    func manual() async throws {
        let server = try await program.serveAuthorized()
        let run = try await program.run("load", "--mix", "fire", "--duration", "100ms")
        #expect(run.status == 64)
        #expect(run.errors.contains("--mix fire needs a server on the system's clock"))
        _ = await server.end(by: SIGTERM)
    }
}
