internal import SwiftProtobuf

extension Message {
    /// The bytes, which are the same for equal messages, maps included.
    func encoded<Bytes: SwiftProtobufContiguousBytes>() -> Bytes {
        var options = BinaryEncodingOptions()
        options.useDeterministicOrdering = true
        do {
            return try serializedBytes(partial: true, options: options)
        } catch {
            // Only a message that lacks required fields, or an `Any` of JSON, has no bytes.
            preconditionFailure("\(Self.protoMessageName) cannot be encoded: \(error)")
        }
    }
}
