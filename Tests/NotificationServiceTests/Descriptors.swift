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

    /// The rpcs that answer with a page of a list, as `Service/Method`.
    static var pagedLists: [String] {
        files.flatMap(\.service).flatMap { service in
            service.method.filter { method in
                let output = message(String(method.outputType.split(separator: ".").last ?? ""))
                return output?.field.contains { $0.name == "next_page_token" } ?? false
            }
            .map { "\(service.name)/\($0.name)" }
        }
    }

    /// The lists in the requests that open streams, as `Service/Method path`.
    ///
    /// They are of names and of messages, since a list of options is kept as one number. A message
    /// of a stream of requests is not kept.
    static var listsOfStreams: Set<String> {
        let streams = files.flatMap(\.service).flatMap { service in
            service.method.filter { $0.serverStreaming && !$0.clientStreaming }
                .map { (service.name, $0) }
        }
        let found = streams.flatMap { service, method in
            let input = message(String(method.inputType.split(separator: ".").last ?? ""))
            return lists(of: input).map { "\(service)/\(method.name) \($0)" }
        }
        return Set(found)
    }

    private static func lists(of message: Google_Protobuf_DescriptorProto?) -> [String] {
        (message?.field ?? []).flatMap { field in
            if field.label == .repeated { return field.type == .enum ? [] : [field.name] }
            guard field.type == .message, field.typeName.hasPrefix(".belfry.v1.") else { return [] }
            let inner = Self.message(String(field.typeName.split(separator: ".").last ?? ""))
            return lists(of: inner).map { "\(field.name).\($0)" }
        }
    }
}
