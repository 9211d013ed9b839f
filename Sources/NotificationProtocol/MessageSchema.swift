internal import SwiftProtobuf

/// The fields of the contract's messages and the names of its enums, as the descriptors have them.
enum MessageSchema {
    typealias Field = Google_Protobuf_FieldDescriptorProto

    struct Fields {
        /// The fields by the names that JSON may give them: that of JSON, and that of the proto.
        var byName: [String: Field] = [:]
        /// The names in JSON, in the order of the proto.
        var names: [String] = []
        var isMapEntry = false
    }

    /// The fields by the messages' names, such as `belfry.v1.Center`.
    static let messages: [String: Fields] = read().messages
    /// The names of numbers by the enums' names, in the order of the proto.
    static let enums: [String: [String]] = read().enums

    private static func read() -> (messages: [String: Fields], enums: [String: [String]]) {
        var messages: [String: Fields] = [:]
        var enums: [String: [String]] = [:]
        func add(_ message: Google_Protobuf_DescriptorProto, _ scope: String) {
            let name = "\(scope).\(message.name)"
            var fields = Fields()
            fields.isMapEntry = message.options.mapEntry
            for field in message.field {
                fields.byName[field.name] = field
                fields.byName[field.jsonName] = field
                fields.names.append(field.jsonName)
            }
            messages[name] = fields
            for inner in message.nestedType { add(inner, name) }
            for inner in message.enumType { add(inner, name) }
        }
        func add(_ found: Google_Protobuf_EnumDescriptorProto, _ scope: String) {
            enums["\(scope).\(found.name)"] = found.value.map(\.name)
        }
        // The descriptors are the program's own and decode: without them no field is named.
        let files = try? Google_Protobuf_FileDescriptorSet(serializedBytes: DescriptorSet.bytes)
        for file in files?.file ?? [] {
            for message in file.messageType { add(message, file.package) }
            for found in file.enumType { add(found, file.package) }
        }
        return (messages, enums)
    }
}
