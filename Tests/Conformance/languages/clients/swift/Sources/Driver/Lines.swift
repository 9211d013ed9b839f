internal import Foundation
internal import GRPCCore

/// A line of standard input: a call to make, or one to cancel.
struct Command: Decodable, Sendable {
    let id: Int
    let cancel: Bool?
    let method: String?
    let input: String?
    let streams: Bool?
    let timeout: Double?
    let request: String?

    /// The method, of which `method` is the path.
    var descriptor: MethodDescriptor {
        let parts = (method ?? "").split(separator: "/").map(String.init)
        return MethodDescriptor(
            fullyQualifiedService: parts.first ?? "",
            method: parts.last ?? ""
        )
    }

    /// The lines of standard input, which a thread of its own waits for.
    static func all() -> AsyncThrowingStream<Command, any Error> {
        AsyncThrowingStream { commands in
            Thread.detachNewThread {
                do {
                    while let line = readLine() {
                        commands.yield(
                            try JSONDecoder().decode(Command.self, from: Data(line.utf8))
                        )
                    }
                    commands.finish()
                } catch {
                    commands.finish(throwing: error)
                }
            }
        }
    }
}

/// A line of standard output: a message of a call, or how the call ended.
struct Report: Encodable, Sendable {
    let id: Int
    var message: String?
    var code: Int?
    var text: String?
    var details: Data?
}

/// Standard output, a whole line at a time.
actor Reports {
    func write(_ report: Report) {
        do {
            let line = try JSONEncoder().encode(report)
            try FileHandle.standardOutput.write(contentsOf: line + Data("\n".utf8))
        } catch {
            fatalError("\(error)")
        }
    }
}

let reports = Reports()
