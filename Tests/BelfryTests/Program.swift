internal import Foundation
internal import TestSupport
internal import Testing

/// The built program, run as people and scripts run it.
struct Program {
    /// How a run ended, and what it printed.
    struct Run {
        let status: Int32
        let output: String
        let errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// A run that goes on.
    final class Running: Sendable {
        private let process: ChildProcess
        private let directory: ScratchDirectory

        fileprivate init(_ process: ChildProcess, _ directory: ScratchDirectory) {
            self.process = process
            self.directory = directory
        }

        func end() async -> Run {
            let status = await process.status
            return Run(status: status, output: read("output"), errors: read("errors"))
        }

        /// Sends a signal, and waits for the end.
        func end(by signal: Int32) async -> Run {
            process.send(signal)
            return await end()
        }

        /// Waits until it has printed a text.
        func prints(_ text: String) async throws {
            // Nothing tells when a file grows; the suite has a time limit.
            while !read("output").contains(text) { try await Task.sleep(for: .milliseconds(5)) }
        }

        private func read(_ name: String) -> String {
            // FileManager's contents(atPath:) leaks a page for each empty file.
            let file = FileHandle(forReadingAtPath: "\(directory.path)/\(name)")
            let data = try? file?.readToEnd()
            return String(decoding: data ?? Data(), as: UTF8.self)
        }
    }

    /// Holds everything that the program keeps: no run sees the files of whoever tests.
    let home: ScratchDirectory

    init(home: ScratchDirectory? = nil) throws {
        self.home = try home ?? ScratchDirectory()
        try FileManager.default.createDirectory(
            atPath: "\(self.home.path)/run",
            withIntermediateDirectories: true
        )
    }

    /// The socket that a server listens on, and clients try, unless they are told otherwise.
    var socket: String { "\(home.path)/run/belfry/belfry.sock" }

    /// Starts the program with something to read from standard input.
    func start(_ arguments: [String], input: String = "") throws -> Running {
        let directory = try ScratchDirectory()
        let inputPath = "\(directory.path)/input"
        try #require(FileManager.default.createFile(atPath: inputPath, contents: Data(input.utf8)))
        let process = try ChildProcess(
            Self.executable(),
            arguments,
            environment: [
                // A usage error ends with exit(), which frees nothing: the address sanitizer must
                // not look for leaks.
                "ASAN_OPTIONS": "detect_leaks=0",
                "HOME": home.path, "XDG_RUNTIME_DIR": "\(home.path)/run",
                "XDG_STATE_HOME": "\(home.path)/state", "TZ": "UTC", "PATH": "/usr/bin:/bin",
            ],
            input: inputPath,
            output: "\(directory.path)/output",
            errors: "\(directory.path)/errors"
        )
        return Running(process, directory)
    }

    func run(_ arguments: String..., input: String = "") async throws -> Run {
        try await start(arguments, input: input).end()
    }

    /// Starts a server on the user's own socket, and returns when it serves.
    func serve(_ arguments: String...) async throws -> Running {
        let server = try start(["serve"] + arguments)
        let status = try await run("status", "--wait", "--timeout", "60s")
        guard status.status == 0 else {
            let end = await server.end(by: SIGKILL)
            Issue.record("no server serves: \(end.errors) \(status.errors)")
            return server
        }
        return server
    }

    /// The program beside the one that runs the tests.
    private static func executable() throws -> String {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return (tests as NSString).deletingLastPathComponent + "/belfry"
    }
}

extension Program {
    /// Starts a server with a clock that stands still, which grants every prompt, for an app that
    /// asked.
    func serveAuthorized() async throws -> Running {
        let server = try await serve("--clock", "manual=2026-01-01T00:00:00Z", "--prompts", "grant")
        #expect(try await run("authorize").status == 0)
        return server
    }
}
