// swift-tools-version: 6.2

import PackageDescription

// The echo method served through shim and router, for `run.sh` to hold against raw C++.

/// The server's package, by the name that SwiftPM gives it: its directory's.
let server = String(
    (Context.packageDirectory.split(separator: "/").suffix(3).first ?? "").lowercased()
        .map { $0.isLetter || $0.isNumber ? $0 : "_" }
)

let package = Package(
    name: "echo",
    dependencies: [.package(name: "belfry", path: "../..")],
    targets: [
        .executableTarget(
            name: "EchoServer",
            dependencies: [.product(name: "NotificationServer", package: "belfry")],
            // The router is not public, so this is compiled as a part of the server's package.
            packageAccess: false,
            swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-package-name", server])]
        )
    ],
    cxxLanguageStandard: .cxx17
)
