internal import Foundation
internal import Testing

@Suite("Seeded faults")
struct SeededFaultTests {
    /// `make faults` takes too long for every run; a patch that no longer applies is found here.
    @Test("Each patch applies to the sources as they are")
    func apply() throws {
        let command = """
            for patch in Tests/Faults/*.patch; do
                git apply --check "$patch" 2>/dev/null || echo "$patch"
            done
            echo checked
            """
        let output = try #require(Shell.output(of: command, in: SourceTree.packageRoot))
        #expect(String(decoding: output, as: UTF8.self) == "checked\n")
    }
}
