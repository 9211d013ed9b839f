internal import Foundation
internal import Testing

@Suite("Generated code")
struct GeneratedCodeTests {
    private static let script = SourceTree.packageRoot.appending(path: "Protos/generate.sh")

    private static var isScriptThere: Bool {
        FileManager.default.isExecutableFile(atPath: script.path)
    }

    private static var isProtocThere: Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .contains { FileManager.default.isExecutableFile(atPath: "\($0)/protoc") }
    }

    @Test(
        "Generated code is what protoc makes of the committed protos",
        .enabled(if: isProtocThere, "protoc is not installed (Debian: protobuf-compiler)"),
        .enabled(if: isScriptThere, "Protos/generate.sh does not exist")
    )
    func isFresh() throws {
        let process = Process()
        process.executableURL = Self.script
        process.arguments = ["--check"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        #expect(process.terminationStatus == 0, "\(lines.suffix(20).joined(separator: "\n"))")
    }
}
