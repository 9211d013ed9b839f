// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that who builds the server needs none of this.

/// The package above, by the name that SwiftPM gives it: its directory's.
let server = String(
    (Context.packageDirectory.split(separator: "/").suffix(2).first ?? "").lowercased()
        .map { $0.isLetter || $0.isNumber ? $0 : "_" }
)

/// What the server's own Swift targets are built with.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// What is measured is not public: what measures it is compiled as a part of the server's package.
let measuring = strict + [.unsafeFlags(["-package-name", server])]

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "belfry", path: ".."),
        // Without its traits it needs no jemalloc, and counts no allocations.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .target(
            name: "BenchmarkSupport",
            dependencies: [.product(name: "NotificationServer", package: "belfry")],
            path: "Support",
            packageAccess: false,
            swiftSettings: measuring
        ),
        .executableTarget(
            name: "TriggerBenchmarks",
            dependencies: [
                "BenchmarkSupport",
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "NotificationServer", package: "belfry"),
            ],
            path: "Benchmarks/TriggerBenchmarks",
            packageAccess: false,
            swiftSettings: measuring,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        .systemLibrary(
            name: "CCallgrind",
            path: "CCallgrind",
            providers: [.apt(["valgrind"])]
        ),
        .executableTarget(
            name: "Instructions",
            dependencies: [
                "BenchmarkSupport", "CCallgrind",
                .product(name: "NotificationServer", package: "belfry"),
            ],
            path: "Instructions",
            packageAccess: false,
            swiftSettings: measuring,
            // Debian's valgrind does not read the newer debug information, and ends.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"])]
        ),
        .executableTarget(
            name: "Load",
            path: "Load",
            cxxSettings: [
                .enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error),
            ],
            linkerSettings: [
                .linkedLibrary("grpc++"), .linkedLibrary("grpc"), .linkedLibrary("gpr"),
                .linkedLibrary("absl_synchronization"),
            ]
        ),
    ],
    cxxLanguageStandard: .cxx17
)
