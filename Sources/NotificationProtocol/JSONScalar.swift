internal import Foundation
internal import SwiftProtobuf

/// The value of a field that JSON writes as one text, number or word.
enum JSONScalar: Equatable {
    case text
    case bytes
    case flag
    case number
    case float
    case int32
    case uint32
    case int64
    case uint64
    case names([String])
    case duration
    case instant
    case mask

    /// The value of a field of a type; nil for a message that JSON writes as an object.
    init?(_ type: Google_Protobuf_FieldDescriptorProto.TypeEnum, _ name: String) {
        switch type {
        case .string: self = .text
        case .bytes: self = .bytes
        case .bool: self = .flag
        case .double: self = .number
        case .float: self = .float
        case .int32, .sint32, .sfixed32: self = .int32
        case .uint32, .fixed32: self = .uint32
        case .int64, .sint64, .sfixed64: self = .int64
        case .uint64, .fixed64: self = .uint64
        case .enum: self = .names(MessageSchema.enums[name] ?? [])
        case .message, .group:
            switch name {
            case "google.protobuf.Duration": self = .duration
            case "google.protobuf.Timestamp": self = .instant
            case "google.protobuf.FieldMask": self = .mask
            default: return nil
            }
        }
    }

    /// The values that are allowed, for a person.
    var expectation: String {
        switch self {
        case .text: "a text"
        case .bytes: "a text of base64"
        case .flag: "true or false"
        case .number, .float: "a number"
        case .int32: "a whole number from \(Int32.min) to \(Int32.max)"
        case .uint32: "a whole number from 0 to \(UInt32.max)"
        case .int64: "a whole number from \(Int64.min) to \(Int64.max)"
        case .uint64: "a whole number from 0 to \(UInt64.max)"
        case .names(let names): "one of \(JSONWalk.list(names)), or a number of 32 bits,"
        case .duration: #"a duration in seconds, such as "90s" or "1.5s","#
        case .instant: #"an instant such as "2026-01-31T09:00:00Z""#
        case .mask: #"a text of fields' names, such as "locked,timeZone","#
        }
    }

    /// Whether the library reads the bytes of a JSON value as one of this.
    func takes(_ value: ArraySlice<UInt8>) -> Bool {
        guard value.first != UInt8(ascii: "n") else { return false }
        func reads<M: Message>(_ type: M.Type) -> Bool {
            (try? M(jsonUTF8Bytes: Array(value))) != nil
        }
        switch self {
        case .text: return reads(Google_Protobuf_StringValue.self)
        case .bytes: return reads(Google_Protobuf_BytesValue.self)
        case .flag: return reads(Google_Protobuf_BoolValue.self)
        case .number: return reads(Google_Protobuf_DoubleValue.self)
        case .float: return reads(Google_Protobuf_FloatValue.self)
        case .int32: return reads(Google_Protobuf_Int32Value.self)
        case .uint32: return reads(Google_Protobuf_UInt32Value.self)
        case .int64: return reads(Google_Protobuf_Int64Value.self)
        case .uint64: return reads(Google_Protobuf_UInt64Value.self)
        case .duration: return reads(Google_Protobuf_Duration.self)
        case .instant: return reads(Google_Protobuf_Timestamp.self)
        case .mask: return reads(Google_Protobuf_FieldMask.self)
        case .names(let names):
            // A number that has no name is kept, as long as it fits.
            guard let text = Self.text(value) else { return reads(Google_Protobuf_Int32Value.self) }
            return names.contains(text)
        }
    }

    /// The text of a JSON text; nil for another value.
    static func text(_ value: ArraySlice<UInt8>) -> String? {
        guard value.first == UInt8(ascii: "\"") else { return nil }
        return try? Google_Protobuf_StringValue(jsonUTF8Bytes: Array(value)).value
    }
}
