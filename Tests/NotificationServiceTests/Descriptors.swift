internal import NotificationProtocol
internal import SwiftProtobuf

/// The descriptors of the `.proto` files, as the server describes itself.
enum Descriptors {
    private static let files: [Google_Protobuf_FileDescriptorProto] = {
        let set = try? Google_Protobuf_FileDescriptorSet(serializedBytes: DescriptorSet.bytes)
        return set?.file.filter { $0.package == "belfry.v1" } ?? []
    }()

    /// A message of `belfry.v1` by its name.
    static func message(_ name: String) -> Google_Protobuf_DescriptorProto? {
        files.lazy.flatMap(\.messageType).first { $0.name == name }
    }

    /// The names of the fields and of the choices of all messages.
    static var fields: Set<String> {
        func fields(_ message: Google_Protobuf_DescriptorProto) -> [String] {
            message.field.map(\.name) + message.oneofDecl.map(\.name)
                + message.nestedType.flatMap(fields)
        }
        return Set(files.flatMap(\.messageType).flatMap(fields))
    }

    /// The services' names with their package.
    static var services: [String] {
        files.flatMap(\.service).map { "belfry.v1.\($0.name)" }
    }

    /// The rpcs as `Service/Method`.
    static var rpcs: [String] {
        files.flatMap(\.service).flatMap { service in
            service.method.map { "\(service.name)/\($0.name)" }
        }
    }
}
