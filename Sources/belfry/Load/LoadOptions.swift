internal import ArgumentParser

struct LoadOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Begin so many calls a second.", valueName: "number"))
    var rate: Double?

    @Option(help: ArgumentHelp("How long each stage is measured.", valueName: "duration"))
    var duration = DurationArgument(.seconds(10))

    @Option(
        name: .customLong("warmup"),
        help: ArgumentHelp("How long each stage runs before.", valueName: "duration")
    )
    var warmUp = DurationArgument(.seconds(1))

    @Option(help: ArgumentHelp("How many connections to make.", valueName: "number"))
    var connections = 1

    @Option(
        help: ArgumentHelp(
            "How many calls are open at most. Default: 64, or 1024 with a rate.",
            valueName: "number"
        )
    )
    var inFlight: Int?

    @Option(
        help: ArgumentHelp(
            "One stage for each value: in-flight=1,16,64 or rate=1000,2000.",
            valueName: "values"
        )
    )
    var sweep: LoadSweep?

    @Option(
        help: ArgumentHelp("Requests of each call that adds, at most 1000.", valueName: "number")
    )
    var batch = 1

    @Flag(help: "Add and remove over one stream in place of calls; for one center.")
    var stream = false

    @Option(help: ArgumentHelp("Among how many centers the calls go.", valueName: "number"))
    var centers = 1

    @Option(
        help: ArgumentHelp(
            "The calls to make, with weights: add, fire, replace, remove, list.",
            discussion: "'fire' adds a request that is due in 1 to 3 seconds.",
            valueName: "mix"
        )
    )
    var mix = LoadMix.adds

    @OptionGroup var choices: LoadChoices

    @Option(help: ArgumentHelp("Make so many requests pending before.", valueName: "number"))
    var fill = 0

    func validate() throws {
        func check(_ flag: String, _ value: Int, _ range: ClosedRange<Int>) throws {
            guard range.contains(value) else {
                throw ValidationError(
                    "--\(flag) is \(range.lowerBound) to \(range.upperBound)."
                )
            }
        }
        try check("connections", connections, 1...1_000)
        try check("batch", batch, 1...1_000)
        try check("centers", centers, 1...100_000)
        try check("fill", fill, 0...100_000_000)
        guard !stream || (batch == 1 && centers == 1) else {
            throw ValidationError("--stream has neither --batch nor --centers.")
        }
        for stage in stages {
            try check("in-flight", stage.inFlight, 1...100_000)
            guard (0.001...1_000_000).contains(stage.rate ?? 1) else {
                throw ValidationError("--rate is 0.001 to 1000000.")
            }
        }
        guard duration.duration > .zero else {
            throw ValidationError("--duration must be more than 0.")
        }
        if let sweep, sweep.axis == .rate ? rate != nil : inFlight != nil {
            throw ValidationError("Use either --\(sweep.axis.rawValue) or --sweep.")
        }
    }

    private var stages: [LoadStage] {
        let open = inFlight ?? (rate != nil || sweep?.axis == .rate ? 1_024 : 64)
        guard let sweep else { return [LoadStage(inFlight: open, rate: rate)] }
        return sweep.values.map { value in
            switch sweep.axis {
            case .inFlight: LoadStage(inFlight: Int(exactly: value) ?? .max, rate: rate)
            case .rate: LoadStage(inFlight: open, rate: value)
            }
        }
    }

    var plan: LoadPlan {
        LoadPlan(
            stages: stages,
            duration: duration.duration,
            warmUp: warmUp.duration,
            batch: batch,
            isStreamed: stream,
            centers: centers,
            mix: mix,
            identifiers: choices.ids,
            seed: choices.seed ?? .random(in: 0...UInt64(UInt32.max)),
            fill: fill
        )
    }
}

/// How identifiers and all else that is random are chosen.
struct LoadChoices: ParsableArguments {
    @Option(help: "The order of the identifiers.")
    var ids = LoadIdentifiers.sequential

    @Option(help: ArgumentHelp("Repeats the same random choices.", valueName: "number"))
    var seed: UInt64?
}
