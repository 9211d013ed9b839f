// swift-tools-version: 6.2

import PackageDescription

// The echo method served through shim and router, for `run.sh` to hold against raw C++.
let package = Package(
    name: "echo",
    dependencies: [.package(name: "belfry", path: "../..")],
    targets: [
        .executableTarget(
            name: "EchoServer",
            dependencies: [.product(name: "NotificationServer", package: "belfry")],
            swiftSettings: [.swiftLanguageMode(.v6)]
        )
    ],
    cxxLanguageStandard: .cxx17
)
