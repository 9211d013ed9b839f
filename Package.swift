// swift-tools-version: 6.2

import PackageDescription

// The import table of the design, as target dependencies; `SoundnessTests` holds the sources to it
// and every build is made with `--explicit-target-dependency-import-check error`.

/// The settings of a Swift target whose async functions leave their caller's actor, as those of the
/// packages under it do: a value that only one task uses can pass between them.
let concurrent: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The settings of every other Swift target.
let strict: [SwiftSetting] =
    concurrent + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

/// The settings of the generated protobuf code, whose style is its generator's.
let generated: [SwiftSetting] = [
    .swiftLanguageMode(.v6)
]

let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let arguments: Target.Dependency = .product(
    name: "ArgumentParser",
    package: "swift-argument-parser"
)
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let http: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let lifecycle: Target.Dependency = .product(
    name: "ServiceLifecycle",
    package: "swift-service-lifecycle"
)
let instrumentation: Target.Dependency = .product(
    name: "Instrumentation",
    package: "swift-distributed-tracing"
)
let serviceContext: Target.Dependency = .product(
    name: "ServiceContextModule",
    package: "swift-service-context"
)
let coreMetrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let histogram: Target.Dependency = .product(name: "Histogram", package: "hdrhistogram-swift")

/// The targets that the benchmarks measure.
let measured: [Target.Dependency] = [
    "BelfryGRPC", "BelfryLMDB", "BelfryLocking", "NotificationCore", "NotificationFeeds",
    "NotificationProtocol", "NotificationRecords", "NotificationService", "NotificationStore",
]

let package = Package(
    name: "belfry",
    products: [
        .executable(name: "belfry", targets: ["belfry"]),
        // A library has the targets that its programs import: only these declare something public.
        .library(
            name: "NotificationClient",
            targets: ["BelfryGRPC", "NotificationClient", "NotificationProtocol"]
        ),
        // The messages alone, for programs that bring a gRPC of their own.
        .library(name: "NotificationProtocol", targets: ["NotificationProtocol"]),
        .library(
            name: "NotificationServer",
            targets: ["NotificationServer"]
        ),
        // For tests of programs: it needs Swift Testing.
        .library(name: "NotificationTesting", targets: ["NotificationTesting"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/apple/swift-service-context", from: "1.5.1"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            from: "2.28.1",
            traits: []
        ),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CBelfryLMDB",
            pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"])]
        ),
        .systemLibrary(name: "CBelfryLinux"),
        .systemLibrary(
            name: "CBelfryOpenSSL",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"])]
        ),
        .target(
            name: "CBelfryGRPC",
            dependencies: ["CBelfryOpenSSL"],
            cxxSettings: [
                .define("BELFRY_FAULTS", .when(configuration: .debug)),
                .enableWarning("all"), .enableWarning("extra"), .enableWarning("documentation"),
                .treatAllWarnings(as: .error),
            ],
            linkerSettings: [
                .linkedLibrary("grpc++"), .linkedLibrary("grpc"), .linkedLibrary("gpr"),
                .linkedLibrary("absl_synchronization"), .linkedLibrary("ssl"),
            ]
        ),

        .target(
            name: "CBelfryWriting",
            cSettings: [
                .enableWarning("all"), .enableWarning("extra"), .enableWarning("documentation"),
                .treatAllWarnings(as: .error),
            ]
        ),
        .target(
            name: "CBelfryPage",
            // The files of the page are embedded, as the next version of C has it.
            cSettings: [
                .enableWarning("all"), .enableWarning("extra"), .disableWarning("c23-extensions"),
                .treatAllWarnings(as: .error),
            ]
        ),
        .target(
            name: "BelfryHashing",
            dependencies: ["CBelfryOpenSSL"],
            swiftSettings: strict
        ),
        .target(
            name: "BelfryCertificates",
            dependencies: ["CBelfryOpenSSL"],
            swiftSettings: strict
        ),
        .target(
            name: "BelfryWebPush",
            dependencies: ["CBelfryOpenSSL", "BelfryHashing"],
            swiftSettings: strict
        ),
        .target(
            name: "BelfryLocking",
            // For the thread sanitizer, which tries the debug build.
            swiftSettings: strict + [.define("SHOWS_SHARED_USE", .when(configuration: .debug))]
        ),
        .target(
            name: "Faults",
            // The debug build, which the tests run, can plant a fault; the release build has none.
            swiftSettings: strict + [.define("FAULTS", .when(configuration: .debug))]
        ),
        .target(
            name: "BelfryLMDB",
            dependencies: ["CBelfryLMDB", "CBelfryWriting", "BelfryLocking", "Faults"],
            swiftSettings: strict
        ),
        .target(
            name: "BelfryGRPC",
            dependencies: ["CBelfryGRPC", "BelfryLocking", "Faults"],
            swiftSettings: strict
        ),
        .target(
            name: "StandardServices",
            dependencies: ["BelfryGRPC", "BelfryLocking", protobuf],
            swiftSettings: strict
        ),
        .target(name: "NotificationCore", dependencies: ["Faults"], swiftSettings: strict),
        .target(
            name: "NotificationLog",
            dependencies: ["BelfryLMDB", "BelfryLocking", "Faults"],
            swiftSettings: strict
        ),
        .target(
            name: "NotificationRecords",
            dependencies: [
                "BelfryLMDB", "BelfryLocking", "Faults", "NotificationCore", "NotificationLog",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "NotificationStore",
            dependencies: [
                "CBelfryLinux", "BelfryHashing", "BelfryLMDB", "BelfryLocking", "Faults",
                "NotificationCore", "NotificationRecords", deque,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "NotificationFeeds",
            dependencies: [
                "BelfryLocking", "Faults", "NotificationCore", "NotificationStore", deque,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "NotificationProtocol",
            dependencies: [protobuf],
            swiftSettings: generated
        ),
        .target(
            name: "NotificationService",
            dependencies: [
                "BelfryGRPC", "BelfryHashing", "BelfryLocking", "BelfryWebPush", "Faults",
                "NotificationCore", "NotificationFeeds", "NotificationProtocol",
                "NotificationStore", "StandardServices", protobuf,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "NotificationServer",
            dependencies: [
                "BelfryGRPC", "BelfryLocking", "NotificationCore", "NotificationProtocol",
                "NotificationService", "NotificationStore", coreMetrics, lifecycle, logging,
                protobuf,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "NotificationClient",
            dependencies: [
                "BelfryGRPC", "BelfryLocking", "Faults", "NotificationProtocol",
                "StandardServices", instrumentation, protobuf, serviceContext,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "NotificationTesting",
            dependencies: [
                "NotificationClient", "NotificationProtocol", "NotificationServer", logging,
            ],
            swiftSettings: concurrent
        ),
        .target(
            name: "NotificationHTTP",
            dependencies: [
                "CBelfryPage", "BelfryGRPC", "BelfryHashing", "BelfryLocking", "BelfryWebPush",
                "Faults", "NotificationProtocol", "StandardServices", http, httpTypes,
                logging, nio, nioHTTP1, nioPosix, nioSSL, protobuf,
            ],
            swiftSettings: concurrent
        ),
        .executableTarget(
            name: "belfry",
            dependencies: [
                "CBelfryLinux", "BelfryCertificates", "BelfryGRPC", "BelfryLocking",
                "BelfryWebPush", "Faults", "NotificationClient", "NotificationCore",
                "NotificationHTTP",
                "NotificationProtocol", "NotificationServer", "NotificationService",
                "NotificationStore", arguments, histogram, logging, protobuf,
            ],
            swiftSettings: strict
        ),

        .target(
            name: "TestSupport",
            dependencies: [
                "BelfryLMDB", "BelfryLocking", "NotificationCore", "NotificationFeeds",
                "NotificationLog", "NotificationRecords", "NotificationStore",
            ],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Races",
            dependencies: [
                "BelfryGRPC", "BelfryLocking", "NotificationCore", "NotificationFeeds",
                "NotificationStore", "TestSupport",
            ],
            path: "Tests/Races",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "RuleDates",
            dependencies: ["NotificationCore"],
            path: "Tests/RuleDates",
            swiftSettings: strict
        ),
        .systemLibrary(
            name: "CCallgrind",
            path: "Benchmarks/CCallgrind",
            providers: [.apt(["valgrind"])]
        ),
        .target(
            name: "BenchmarkSupport",
            dependencies: measured,
            path: "Benchmarks/Support",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Instructions",
            dependencies: measured + ["BenchmarkSupport", "CCallgrind", protobuf],
            path: "Benchmarks/Instructions",
            swiftSettings: strict,
            // Debian's valgrind does not read the newer debug information, and ends.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"])]
        ),
        .testTarget(
            name: "BelfryLMDBTests",
            dependencies: ["BelfryLMDB", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BelfryGRPCTests",
            dependencies: ["BelfryGRPC", "StandardServices", "TestSupport", protobuf],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BelfryWebPushTests",
            dependencies: ["CBelfryOpenSSL", "BelfryWebPush"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationCoreTests",
            dependencies: ["NotificationCore", "TestSupport"],
            exclude: ["Localization/plural-vectors.py"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationLogTests",
            dependencies: ["BelfryLMDB", "NotificationLog", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationStoreTests",
            dependencies: [
                "BelfryHashing", "BelfryLMDB", "BelfryLocking", "NotificationCore",
                "NotificationFeeds", "NotificationLog", "NotificationRecords",
                "NotificationStore", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationFeedsTests",
            dependencies: [
                "BelfryLocking", "NotificationCore", "NotificationFeeds", "NotificationStore",
                "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationServiceTests",
            dependencies: [
                "BelfryGRPC", "BelfryLocking", "BelfryWebPush", "NotificationClient",
                "NotificationCore", "NotificationFeeds", "NotificationProtocol",
                "NotificationService", "NotificationStore", "StandardServices", "TestSupport",
                protobuf,
            ],
            // Swift 6.3.1 does not survive the optimization of these tests.
            swiftSettings: strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
        ),
        .testTarget(
            name: "NotificationServerTests",
            dependencies: [
                "BelfryGRPC", "NotificationClient", "NotificationProtocol", "NotificationServer",
                "TestSupport", coreMetrics, lifecycle, logging, protobuf,
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationTestingTests",
            dependencies: [
                "NotificationClient", "NotificationProtocol", "NotificationTesting", protobuf,
            ],
            swiftSettings: concurrent
        ),
        .testTarget(
            name: "NotificationClientTests",
            dependencies: [
                "BelfryGRPC", "BelfryLocking", "NotificationClient", "NotificationProtocol",
                "StandardServices", instrumentation, protobuf, serviceContext,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BelfryTests",
            dependencies: [
                "BelfryGRPC", "NotificationClient", "NotificationProtocol", "StandardServices",
                "TestSupport", "belfry", arguments, protobuf,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SoundnessTests",
            dependencies: ["TestSupport"],
            // It reads every file of the project: forty seconds unless it is optimized.
            swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]
        ),
    ],
    cxxLanguageStandard: .cxx17
)

// `make check` builds the core and the store with their tests alone, in a directory of its own:
// without gRPC, protobuf and NIO this takes a fraction of the time.
if Context.environment["BELFRY_KERNEL"] != nil {
    let kernel: Set = [
        "CBelfryLMDB", "CBelfryWriting", "CBelfryLinux", "CBelfryOpenSSL", "BelfryHashing",
        "BelfryLocking", "BelfryLMDB", "Faults", "NotificationCore", "NotificationRecords",
        "NotificationStore", "NotificationFeeds", "TestSupport", "RuleDates", "BelfryWebPush",
        "BelfryWebPushTests", "NotificationLog", "BelfryLMDBTests", "NotificationCoreTests",
        "NotificationLogTests", "NotificationStoreTests", "NotificationFeedsTests",
        "SoundnessTests",
    ]
    package.products = []
    package.targets.removeAll { !kernel.contains($0.name) }
    package.dependencies = [
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0")
    ]
}

// `make bench` measures times with a package that nothing else needs.
if Context.environment["BELFRY_BENCHMARKS"] != nil {
    package.dependencies.append(
        // Without its traits it needs no jemalloc, and counts no allocations.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: [])
    )
    package.targets += [
        .executableTarget(
            name: "TriggerBenchmarks",
            dependencies: measured + [
                "BenchmarkSupport", .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/TriggerBenchmarks",
            swiftSettings: strict,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        .executableTarget(
            name: "EchoServer",
            dependencies: ["BelfryGRPC"],
            path: "Benchmarks/Echo",
            sources: ["EchoServer.swift"],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
    ]
}
