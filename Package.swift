// swift-tools-version: 6.2

import PackageDescription

// The import table of the design, as target dependencies; `SoundnessTests` holds the sources to it
// and every build is made with `--explicit-target-dependency-import-check error`.

/// What every Swift target is built with.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// What the generated protobuf code is built with: its style is its generator's.
let generated: [SwiftSetting] = [
    .swiftLanguageMode(.v6)
]

let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")
let collections: Target.Dependency = .product(name: "Collections", package: "swift-collections")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let arguments: Target.Dependency = .product(
    name: "ArgumentParser",
    package: "swift-argument-parser"
)
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

let package = Package(
    name: "belfry",
    products: [
        .executable(name: "belfry", targets: ["belfry"]),
        .library(name: "GRPC", targets: ["GRPC"]),
        .library(name: "NotificationClient", targets: ["NotificationClient"]),
        .library(name: "NotificationCore", targets: ["NotificationCore"]),
        .library(name: "NotificationProtocol", targets: ["NotificationProtocol"]),
        .library(name: "NotificationService", targets: ["NotificationService"]),
        .library(name: "NotificationStore", targets: ["NotificationStore"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CLMDB",
            pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"])]
        ),
        .systemLibrary(name: "CLinux"),
        .target(
            name: "CGRPC",
            cxxSettings: [
                .enableWarning("all"), .enableWarning("extra"), .enableWarning("documentation"),
                .treatAllWarnings(as: .error),
            ],
            linkerSettings: [
                .linkedLibrary("grpc++"), .linkedLibrary("grpc"), .linkedLibrary("gpr"),
                .linkedLibrary("absl_synchronization"),
            ]
        ),

        .target(name: "Locking", swiftSettings: strict),
        .target(name: "LMDB", dependencies: ["CLMDB", "Locking"], swiftSettings: strict),
        .target(name: "GRPC", dependencies: ["CGRPC", "Locking"], swiftSettings: strict),
        .target(name: "NotificationCore", swiftSettings: strict),
        .target(
            name: "NotificationStore",
            dependencies: ["CLinux", "LMDB", "Locking", "NotificationCore", collections, crypto],
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
                "GRPC", "Locking", "NotificationCore", "NotificationProtocol", "NotificationStore",
                protobuf,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "NotificationClient",
            dependencies: ["GRPC", "Locking", "NotificationProtocol", protobuf],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "belfry",
            dependencies: [
                "GRPC", "NotificationClient", "NotificationCore", "NotificationProtocol",
                "NotificationService", "NotificationStore", arguments, logging, protobuf,
            ],
            swiftSettings: strict
        ),

        .target(
            name: "TestSupport",
            dependencies: ["LMDB", "Locking", "NotificationCore", "NotificationStore"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .testTarget(
            name: "LMDBTests",
            dependencies: ["LMDB", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "GRPCTests",
            dependencies: ["GRPC", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationCoreTests",
            dependencies: ["NotificationCore", "TestSupport"],
            exclude: ["Localization/plural-vectors.py"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationStoreTests",
            dependencies: [
                "LMDB", "Locking", "NotificationCore", "NotificationStore", "TestSupport", crypto,
            ],
            exclude: ["Fixtures"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationServiceTests",
            dependencies: [
                "GRPC", "Locking", "NotificationClient", "NotificationCore",
                "NotificationProtocol", "NotificationService", "NotificationStore", "TestSupport",
                protobuf,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationClientTests",
            dependencies: [
                "GRPC", "Locking", "NotificationClient", "NotificationProtocol", protobuf,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BelfryTests",
            dependencies: [
                "GRPC", "NotificationClient", "NotificationProtocol", "TestSupport", "belfry",
                arguments, protobuf,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SoundnessTests",
            dependencies: ["TestSupport"],
            swiftSettings: strict
        ),
    ],
    cxxLanguageStandard: .cxx17
)
