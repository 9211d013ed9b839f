internal import ArgumentParser
internal import Foundation
internal import NotificationProtocol

/// Writes the contract, for a person who generates a client from it.
struct ProtosCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "protos",
        abstract: "Write the .proto files of the server's calls, or their descriptors.",
        discussion: """
            The files are those that this program was built with. Their comments are the reference \
            of every call.

              belfry protos --out protos
              protoc -I protos --python_out=. protos/belfry/v1/*.proto
              belfry protos --descriptor-set > belfry.binpb
            """
    )

    @Option(
        help: ArgumentHelp(
            "Write the files below this directory, which is made where it is missing.",
            valueName: "directory"
        ),
        completion: .directory
    )
    var out: String?

    @Flag(
        help: "Write a google.protobuf.FileDescriptorSet, without comments, to standard output."
    )
    var descriptorSet = false

    func validate() throws {
        guard (out != nil) != descriptorSet else {
            throw ValidationError("Say --out DIRECTORY or --descriptor-set.")
        }
        guard !descriptorSet || isatty(STDOUT_FILENO) == 0 else {
            throw ValidationError("--descriptor-set is binary: send it to a file or a pipe.")
        }
    }

    func run() throws {
        guard let out else {
            return try StandardOutput.write(Data(DescriptorSet.bytes))
        }
        let output = Output(isJSON: false, environment: ProcessInfo.processInfo.environment)
        for (path, text) in ProtoFiles.all {
            let file = URL(fileURLWithPath: out).appending(path: path)
            do {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(text.utf8).write(to: file)
            } catch {
                output.complain("\(file.path): \(error.reason)")
                throw ExitReason.refused.code
            }
        }
        try output.print("Wrote \(ProtoFiles.all.count) files below \(out).")
    }
}
