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
        // Its status stands in the last line.
        let command = "Protos/generate.sh --check 2>&1; echo $?"
        let text = try #require(Shell.output(of: command, in: SourceTree.packageRoot))
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        #expect(lines.last == "0", "\(lines.suffix(20).joined(separator: "\n"))")
    }
}
