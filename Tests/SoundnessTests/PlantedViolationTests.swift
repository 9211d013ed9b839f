internal import Testing

/// Each rule finds a violation that was planted, and passes what only looks like one.
@Suite("Planted violations")
struct PlantedViolationTests {
    /// A file that breaks a rule on one line, or on none.
    struct Planted: CustomTestStringConvertible {
        let rule: Rule
        let path: String
        let text: String
        let line: Int?

        init(_ rule: Rule, _ path: String, _ text: String, line: Int?) {
            self.rule = rule
            self.path = path
            self.text = text
            self.line = line
        }

        var testDescription: String {
            "\(path): \(text.prefix(60).debugDescription)"
        }
    }

    static let imports = [
        Planted(
            .targetsImportWhatTheirRowLists,
            "Sources/BelfryLMDB/A.swift",
            "internal import CBelfryGRPC",
            line: 1
        ),
        Planted(
            .targetsImportWhatTheirRowLists,
            "Sources/BelfryLMDB/A.swift",
            "internal import Foundation",
            line: 1
        ),
        Planted(
            .targetsImportWhatTheirRowLists,
            "Sources/BelfryLMDB/A.swift",
            "\ninternal import CBelfryLMDB\nimport struct Foundation.Date",
            line: 3
        ),
        Planted(
            .targetsImportWhatTheirRowLists,
            "Sources/BelfryLMDB/A.swift",
            "internal import CBelfryLMDB\ninternal import Glibc",
            line: nil
        ),
        Planted(
            .targetsImportWhatTheirRowLists,
            "Sources/BelfryLMDB/A.swift",
            "// import CBelfryGRPC\nlet a = \"import CBelfryGRPC\"",
            line: nil
        ),
        Planted(
            .targetsImportWhatTheirRowLists,
            "Sources/BelfryGRPC/A.swift",
            "internal import BelfryLMDB",
            line: 1
        ),
        Planted(
            .targetsImportWhatTheirRowLists,
            "Sources/NotificationCore/A.swift",
            "internal import Glibc",
            line: 1
        ),
        Planted(
            .targetsImportWhatTheirRowLists,
            "Sources/NotificationStore/A.swift",
            "internal import BelfryGRPC",
            line: 1
        ),
        Planted(
            .targetsImportWhatTheirRowLists,
            "Sources/belfry/A.swift",
            "internal import CBelfryLMDB",
            line: 1
        ),
        Planted(
            .targetsImportWhatTheirRowLists,
            "Sources/NotificationStore/A.swift",
            "internal import DequeModule",
            line: nil
        ),
        Planted(
            .targetsImportWhatTheirRowLists,
            "Sources/NotificationService/A.swift",
            "internal import BelfryLMDB",
            line: 1
        ),
        Planted(
            .targetsImportWhatTheirRowLists,
            "Sources/NotificationService/A.swift",
            "internal import Foundation",
            line: 1
        ),
        Planted(
            .targetsImportWhatTheirRowLists,
            "Sources/NotificationClient/A.swift",
            "public import NotificationCore",
            line: 1
        ),
        Planted(
            .targetsImportWhatTheirRowLists,
            "Sources/belfry/A.swift",
            "internal import BelfryLMDB",
            line: 1
        ),
        Planted(.targetsImportWhatTheirRowLists, "Sources/Novelty/A.swift", "let a = 1", line: 1),
        Planted(
            .coreImportsNothing,
            "Sources/NotificationCore/A.swift",
            "\n@_exported public import Synchronization",
            line: 2
        ),
        Planted(
            .coreImportsNothing,
            "Sources/NotificationCore/A.swift",
            "let important = 1",
            line: nil
        ),
        Planted(
            .oneCalendarAdapter,
            "Sources/NotificationStore/Firing/Clock.swift",
            "internal import Foundation",
            line: 1
        ),
        Planted(
            .oneCalendarAdapter,
            "Sources/NotificationStore/ZoneCalendar.swift",
            "internal import Foundation",
            line: nil
        ),
        Planted(
            .importsHaveAnAccessLevel,
            "Tests/BelfryGRPCTests/A.swift",
            "internal import BelfryGRPC\nimport Testing",
            line: 2
        ),
        Planted(
            .importsHaveAnAccessLevel,
            "Tests/BelfryGRPCTests/A.swift",
            "@testable import BelfryGRPC",
            line: 1
        ),
        Planted(
            .importsHaveAnAccessLevel,
            "Tests/BelfryGRPCTests/A.swift",
            "@testable internal import BelfryGRPC\n@preconcurrency public import Dispatch",
            line: nil
        ),
        Planted(
            .importsHaveAnAccessLevel,
            "Benchmarks/Package.swift",
            "import PackageDescription",
            line: nil
        ),
    ]

    static let sizes = [
        Planted(.functionsAreShort, "Sources/A/A.swift", "\nfunc a() {\n\(lines(79))}", line: 2),
        Planted(.functionsAreShort, "Sources/A/A.swift", "func a() {\n\(lines(78))}", line: nil),
        Planted(
            .functionsAreShort,
            "Sources/CBelfryGRPC/A.cc",
            "void a() {\n\(lines(79))}",
            line: 1
        ),
        Planted(
            .functionsAreShort,
            "Sources/CBelfryGRPC/A.cc",
            "void a() {\n\(lines(78))}",
            line: nil
        ),
        Planted(.filesAreShort, "Sources/A/A.swift", lines(801), line: 801),
        Planted(.filesAreShort, "Sources/A/A.swift", lines(800), line: nil),
        Planted(.filesAreShort, "Protos/a.proto", lines(801), line: 801),
        Planted(.filesAreShort, "Sources/NotificationProtocol/a.pb.swift", lines(801), line: nil),
        Planted(.filesAreShort, "Sources/A/a.pb.swift", lines(801), line: 801),
        Planted(.linesAreShort, "Sources/A/A.swift", "\n" + columns(101), line: 2),
        Planted(.linesAreShort, "Sources/A/A.swift", columns(100), line: nil),
        Planted(.linesAreShort, "Sources/A/A.swift", String(repeating: "ü", count: 100), line: nil),
        Planted(.linesAreShort, "Sources/CBelfryGRPC/A.cc", columns(101), line: 1),
        Planted(.linesAreShort, "Sources/CBelfryGRPC/include/A.h", columns(101), line: 1),
        Planted(.linesAreShort, "Protos/a.proto", columns(101), line: 1),
        Planted(
            .shimHasOneShortHeader,
            "Sources/CBelfryGRPC/include/CBelfryGRPC.h",
            lines(200),
            line: 200
        ),
        Planted(
            .shimHasOneShortHeader,
            "Sources/CBelfryGRPC/include/CBelfryGRPC.h",
            lines(199),
            line: nil
        ),
    ]

    static let safety = [
        Planted(
            .unsafeCodeIsWhereItMayBe,
            "Sources/NotificationStore/A.swift",
            "\nlet a = unsafe b",
            line: 2
        ),
        Planted(.unsafeCodeIsWhereItMayBe, "Tests/BelfryTests/A.swift", "unsafe a()", line: 1),
        Planted(.unsafeCodeIsWhereItMayBe, "Sources/BelfryLMDB/A.swift", "unsafe a()", line: nil),
        Planted(
            .unsafeCodeIsWhereItMayBe,
            "Sources/belfry/A.swift",
            "// unsafe\nlet unsafeties = \"unsafe\"",
            line: nil
        ),
        Planted(
            .unsafeFilesNeedTheirEntry,
            "Sources/NotificationStore/System/Wakeup.swift",
            "let a = 1",
            line: 1
        ),
        Planted(
            .unsafeFilesNeedTheirEntry,
            "Sources/NotificationStore/System/Wakeup.swift",
            "unsafe a()",
            line: nil
        ),
        Planted(
            .uncheckedSendableSaysWhy,
            "Sources/A/A.swift",
            "/// A thing.\nclass C: @unchecked Sendable {}",
            line: 2
        ),
        Planted(
            .uncheckedSendableSaysWhy,
            "Sources/A/A.swift",
            "/// Safety: of B.\nclass B {}\nclass C: @unchecked Sendable {}",
            line: 3
        ),
        Planted(
            .uncheckedSendableSaysWhy,
            "Sources/A/A.swift",
            "/// A thing.\n///\n/// Safety: behind a lock.\n@safe\nclass C: @unchecked Sendable {}",
            line: nil
        ),
        Planted(
            .uncheckedSendableSaysWhy,
            "Sources/A/A.swift",
            "class C: @unchecked Sendable {\n  // Safety: behind a lock.",
            line: nil
        ),
        Planted(
            .uncheckedSendableIsRare,
            "Sources/A/A.swift",
            String(repeating: "class C: @unchecked Sendable {}\n", count: 6),
            line: 6
        ),
        Planted(
            .uncheckedSendableIsRare,
            "Sources/A/A.swift",
            String(repeating: "class C: @unchecked Sendable {}\n", count: 5),
            line: nil
        ),
        Planted(
            .nonisolatedUnsafeIsBanned,
            "Sources/BelfryLMDB/A.swift",
            "nonisolated(unsafe) var a = 1",
            line: 1
        ),
        Planted(
            .nonisolatedUnsafeIsBanned,
            "Sources/BelfryLMDB/A.swift",
            "nonisolated var a: Int { unsafe b }",
            line: nil
        ),
        Planted(
            .forceTryIsBanned,
            "Tests/BelfryLMDBTests/A.swift",
            "\n\nlet a = try! b()",
            line: 3
        ),
        Planted(
            .forceTryIsBanned,
            "Tests/BelfryLMDBTests/A.swift",
            "let a = try? b() // not try!",
            line: nil
        ),
        Planted(
            .failuresAreToldInTheSystemsWords,
            "Sources/belfry/A.swift",
            "\nprint(error.localizedDescription)",
            line: 2
        ),
        Planted(
            .outputIsWrittenInOnePlace,
            "Sources/belfry/A.swift",
            "try FileHandle.standardOutput.write(contentsOf: a)",
            line: 1
        ),
        Planted(.nothingIsLeftToDo, "Sources/A/A.swift", "\n// TODO: later", line: 2),
        Planted(.nothingIsLeftToDo, "Sources/CBelfryGRPC/A.cc", "/* FIXME */", line: 1),
        Planted(.nothingIsLeftToDo, "Protos/generate.sh", "# TODO", line: 1),
        Planted(.nothingIsLeftToDo, "Sources/A/A.swift", "let a = \"TODO\" // TODOS", line: nil),
    ]

    static let layout = [
        Planted(.cIsInTheShims, "Sources/BelfryLMDB/a.c", "int a;", line: 1),
        Planted(.cIsInTheShims, "Sources/CGRPCX/a.h", "int a;", line: 1),
        Planted(.cIsInTheShims, "Sources/CBelfryGRPC/a.cc", "int a;", line: nil),
        Planted(.cIsInTheShims, "Benchmarks/a.cc", "int a;", line: nil),
    ]

    private static let all: [Planted] =
        imports + access + comments + sizes + types + safety + text + layout + wire

    @Test("A planted violation is found where it is", arguments: all)
    func planted(_ planted: Planted) {
        let tree = SourceTree(files: [SourceFile(path: planted.path, text: planted.text)])
        let found = planted.rule.check(tree)
        #expect(found.map(\.line) == (planted.line.map { [$0] } ?? []))
        #expect(found.allSatisfy { "\($0)".hasPrefix("\(planted.path):") })
    }

    @Test("A second file with Foundation in the store, and a second header of the shim, are found")
    func seconds() {
        let calendars = ["A", "B"].map { name in
            SourceFile(
                path: "Sources/NotificationStore/\(name)Calendar.swift",
                text: "internal import Foundation"
            )
        }
        let headers = ["A", "B"].map { name in
            SourceFile(path: "Sources/CBelfryGRPC/include/\(name).h", text: "int a;")
        }
        let tree = SourceTree(files: calendars + headers)
        #expect(Rule.oneCalendarAdapter.check(tree).map(\.path) == [calendars[1].path])
        #expect(Rule.shimHasOneShortHeader.check(tree).map(\.path) == [headers[1].path])
    }

    @Test("An entry of the top level that does not belong there is found")
    func topLevel() {
        let entries = [".github", "Makefile", "README.md", "Sources", "notes.txt", "scripts"]
        let tree = SourceTree(files: [], topLevel: entries)
        #expect(Rule.topLevelIsTidy.check(tree).map(\.path) == ["notes.txt", "scripts"])
    }

    private static func lines(_ count: Int) -> String {
        String(repeating: "//\n", count: count)
    }

    private static func columns(_ count: Int) -> String {
        "//" + String(repeating: "x", count: count - 2)
    }
}
