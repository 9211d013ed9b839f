// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "EmbeddedServer",
    dependencies: [
        .package(name: "belfry", path: "../.."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .executableTarget(
            name: "Tea",
            dependencies: [
                .product(name: "NotificationClient", package: "belfry"),
                .product(name: "NotificationServer", package: "belfry"),
                .product(name: "Logging", package: "swift-log"),
            ]
        )
    ]
)
