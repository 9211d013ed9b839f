internal import Foundation
internal import GRPCCore
internal import GRPCNIOTransportHTTP2Posix

/// Makes the calls that standard input asks for, of the server that the argument names.
@main
struct Driver {
    static func main() async throws {
        try await withGRPCClient(
            transport: try .http2NIOPosix(
                target: target(of: CommandLine.arguments[1]),
                transportSecurity: .plaintext
            )
        ) { client in
            var running: [Int: Task<Void, Never>] = [:]
            for try await command in Command.all() {
                if command.cancel == true {
                    running[command.id]?.cancel()
                } else {
                    running[command.id] = Task { await run(command, on: client) }
                }
            }
            for task in running.values { task.cancel() }
        }
    }

    private static func target(of text: String) -> any ResolvableTarget {
        if text.hasPrefix("unix:") {
            return .unixDomainSocket(path: String(text.dropFirst("unix:".count)))
        }
        let parts = text.split(separator: ":").map(String.init)
        return .ipv4(address: parts[0], port: Int(parts[1]) ?? 0)
    }

    private static func run(_ command: Command, on client: Client) async {
        var end = Report(id: command.id, code: 0)
        guard let call = calls[command.input ?? ""] else {
            fatalError("\(command.input ?? "") is not in the table of calls")
        }
        do {
            try await call(client, command)
        } catch is CancellationError {
            end.code = RPCError.Code.cancelled.rawValue
        } catch let error as RPCError {
            end.code = error.code.rawValue
            end.text = error.message
            for value in error.metadata[binaryValues: "grpc-status-details-bin"] {
                end.details = Data(value)
            }
        } catch {
            fatalError("\(error)")
        }
        await reports.write(end)
    }
}
