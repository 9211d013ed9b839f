// swift-tools-version: 6.2

import PackageDescription

// The echo method on grpc-swift-2, for `make bench-peers` to hold beside shim and router.

let package = Package(
    name: "grpc-swift-echo",
    // The declarations ask for it on a Mac.
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/grpc/grpc-swift-2.git", exact: "2.4.3"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport.git", exact: "2.9.2"),
    ],
    targets: [
        .executableTarget(
            name: "EchoServer",
            dependencies: [
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCNIOTransportHTTP2", package: "grpc-swift-nio-transport"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]
        )
    ]
)
