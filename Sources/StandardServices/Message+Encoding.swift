package import SwiftProtobuf

extension Message {
    /// The serialized bytes; equal messages, also with maps, have equal bytes.
    package func encoded<Bytes: SwiftProtobufContiguousBytes>() -> Bytes {
        var options = BinaryEncodingOptions()
        options.useDeterministicOrdering = true
        do {
            return try serializedBytes(partial: true, options: options)
        } catch {
            // Only a message without a required field, with an `Any` made from JSON, or of 2 GiB
            // cannot be encoded.
            preconditionFailure("\(Self.protoMessageName) cannot be encoded: \(error)")
        }
    }
}
