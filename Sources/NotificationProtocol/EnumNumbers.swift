internal import Foundation
package import SwiftProtobuf

extension Message {
    /// Reads a message from JSON, as `init(jsonUTF8Bytes:)`, and refuses numbers of enums that take
    /// more than 32 bits.
    ///
    /// JSON may have such a number, and protobuf's own bytes may not: the library (1.39) makes room
    /// for the lower 32 bits and then writes all of it, beyond the end of its memory.
    ///
    /// - Throws: ``JSONFault`` with the first field that is wrong.
    package init(checkedJSON bytes: [UInt8]) throws(JSONFault) {
        do {
            try self.init(jsonUTF8Bytes: bytes)
            try EnumNumbers.check(self)
        } catch {
            let fault = JSONFault.first(in: bytes, of: Self.protoMessageName)
            throw fault ?? JSONFault(path: "", problem: "it is refused: \(error)")
        }
    }
}

/// The number of an enum takes more than 32 bits.
private struct EnumNumberTooLarge: Error, CustomStringConvertible {
    let description = "the number of an enum takes more than 32 bits"
}

/// Looks for numbers of enums that take more than 32 bits.
private struct EnumNumbers: Visitor {

    /// Looks at a message and at those in it.
    ///
    /// - Throws: ``EnumNumberTooLarge``.
    static func check(_ message: any Message) throws {
        var visitor = EnumNumbers()
        try message.traverse(visitor: &visitor)
    }

    private static func check(_ number: Int) throws {
        guard Int32(exactly: number) != nil else { throw EnumNumberTooLarge() }
    }

    mutating func visitSingularEnumField<E: Enum>(value: E, fieldNumber: Int) throws {
        try Self.check(value.rawValue)
    }

    mutating func visitSingularMessageField<M: Message>(value: M, fieldNumber: Int) throws {
        try value.traverse(visitor: &self)
    }

    mutating func visitMapField<KeyType, ValueType>(
        fieldType: _ProtobufEnumMap<KeyType, ValueType>.Type,
        value: _ProtobufEnumMap<KeyType, ValueType>.BaseType,
        fieldNumber: Int
    ) throws where ValueType.RawValue == Int {
        for number in value.values { try Self.check(number.rawValue) }
    }

    mutating func visitMapField<KeyType, ValueType>(
        fieldType: _ProtobufMessageMap<KeyType, ValueType>.Type,
        value: _ProtobufMessageMap<KeyType, ValueType>.BaseType,
        fieldNumber: Int
    ) throws {
        for message in value.values { try Self.check(message) }
    }

    // MARK: Types without enums

    mutating func visitSingularDoubleField(value: Double, fieldNumber: Int) {}
    mutating func visitSingularInt64Field(value: Int64, fieldNumber: Int) {}
    mutating func visitSingularUInt64Field(value: UInt64, fieldNumber: Int) {}
    mutating func visitSingularBoolField(value: Bool, fieldNumber: Int) {}
    mutating func visitSingularStringField(value: String, fieldNumber: Int) {}
    mutating func visitSingularBytesField(value: Data, fieldNumber: Int) {}
    mutating func visitUnknown(bytes: Data) {}

    mutating func visitMapField<KeyType, ValueType: MapValueType>(
        fieldType: _ProtobufMap<KeyType, ValueType>.Type,
        value: _ProtobufMap<KeyType, ValueType>.BaseType,
        fieldNumber: Int
    ) {}
}
