internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

/// Messages as JSON that leaves nothing out: a field that is false, zero or empty has its name
/// there, too.
///
/// A message or an optional field that is absent is left out.
struct WholeJSON {
    private typealias Field = Google_Protobuf_FieldDescriptorProto

    /// The messages of the protos.
    static let shared = WholeJSON()

    // By full names, as ".belfry.v1.Event".
    private var messages: [String: Google_Protobuf_DescriptorProto] = [:]
    private var zeros: [String: String] = [:]

    private init() {
        // The bytes are part of the program, and tests decode them.
        let set = try? Google_Protobuf_FileDescriptorSet(serializedBytes: DescriptorSet.bytes)
        // Skip google's types, whose JSON has forms of its own.
        for file in set?.file ?? [] where !file.package.hasPrefix("google.") {
            for message in file.messageType { take(message, in: "." + file.package) }
            for list in file.enumType {
                zeros[".\(file.package).\(list.name)"] = list.value[0].name
            }
        }
    }

    private mutating func take(_ message: Google_Protobuf_DescriptorProto, in scope: String) {
        let name = scope + "." + message.name
        messages[name] = message
        for inner in message.nestedType { take(inner, in: name) }
        for list in message.enumType { zeros[name + "." + list.name] = list.value[0].name }
    }

    /// Gives a message on one line, with the names of the protos, in their order.
    func text(_ message: some Message) throws -> String {
        var options = JSONEncodingOptions()
        options.alwaysPrintInt64sAsNumbers = true
        options.preserveProtoFieldNames = true
        let data = Data(try message.jsonString(options: options).utf8)
        let name = "." + type(of: message).protoMessageName
        return try text(try JSONSerialization.jsonObject(with: data), of: name)
    }

    private func text(_ value: Any, of type: String) throws -> String {
        guard let message = messages[type], let object = value as? [String: Any] else {
            let options: JSONSerialization.WritingOptions = [
                .fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes,
            ]
            let data = try JSONSerialization.data(withJSONObject: value, options: options)
            return String(decoding: data, as: UTF8.self)
        }
        let members = try message.field.compactMap { field in
            try text(object[field.name], of: field).map { "\"\(field.name)\":\($0)" }
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    /// The text of a field; nil for one that is absent.
    private func text(_ value: Any?, of field: Field) throws -> String? {
        if field.label == .repeated {
            if let entry = messages[field.typeName], entry.options.mapEntry {
                let object = value as? [String: Any] ?? [:]
                let members = try object.sorted { $0.key < $1.key }.map { key, value in
                    try "\(text(key, of: "")):\(text(value, of: entry.field[1].typeName))"
                }
                return "{" + members.joined(separator: ",") + "}"
            }
            let list = value as? [Any] ?? []
            return try "[" + list.map { try text($0, of: field.typeName) }.joined(separator: ",")
                + "]"
        }
        if let value { return try text(value, of: field.typeName) }
        guard field.type != .message, !field.hasOneofIndex else { return nil }
        return switch field.type {
        case .bool: "false"
        case .string, .bytes: "\"\""
        case .enum: "\"\(zeros[field.typeName] ?? "")\""
        default: "0"
        }
    }
}
