// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that who builds the server needs none of this.

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

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "belfry", path: ".."),
        // Without its traits it needs no jemalloc, and counts no allocations.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "TriggerBenchmarks",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "NotificationServer", package: "belfry"),
            ],
            path: "Benchmarks/TriggerBenchmarks",
            swiftSettings: strict,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
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
