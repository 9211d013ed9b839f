internal import BelfryGRPC
internal import Testing

@Suite("The wire format")
struct ProtoTests {
    @Test("What is written is read", arguments: [1, -1, 127, 128, Int64.max, Int64.min])
    func integers(value: Int64) throws {
        var writer = ProtoWriter()
        writer.integer(536_870_911, value)
        var reader = ProtoReader(writer.bytes)
        let field = try #require(try reader.next())
        #expect(field.number == 536_870_911)
        #expect(field.integer == value)
        #expect(try reader.next() == nil)
    }

    @Test("Defaults are left out, and elements are not")
    func defaults() {
        var writer = ProtoWriter()
        writer.integer(1, 0)
        writer.string(2, "")
        #expect(writer.bytes == [])
        writer.element(3, 0)
        writer.data(4, [])
        #expect(writer.bytes == [24, 0, 34, 0])
    }

    @Test("Fields of fixed width are passed over")
    func fixedWidth() throws {
        var reader = ProtoReader([9, 1, 2, 3, 4, 5, 6, 7, 8, 21, 1, 2, 3, 4, 24, 5])
        #expect(try reader.next()?.integer == 0)
        #expect(try reader.next()?.integer == 0)
        #expect(try reader.next()?.integer == 5)
    }

    @Test("Text is UTF-8, and a field of another wire type has none")
    func text() throws {
        var reader = ProtoReader([10, 2, 0xC3, 0xA9, 8, 1, 10, 1, 0xFF])
        #expect(try reader.next()?.text == "é")
        #expect(try reader.next()?.text == nil)
        let broken = try reader.next()
        #expect(throws: ProtoError.self) { try broken?.text }
    }

    @Test(
        "Bytes that end early or make no sense are refused",
        arguments: [
            [8], [8, 0x80], [10], [10, 2, 1], [9, 1, 2, 3], [21, 1], [11], [12], [0, 1], [0x80],
            [10, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
            [8, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
            // A key has 32 bits.
            [0xFD, 0xF9, 0xC2, 0x87, 0x51, 0, 0, 0, 0],
        ] as [[UInt8]]
    )
    func malformed(bytes: [UInt8]) {
        #expect(throws: ProtoError.self) {
            var reader = ProtoReader(bytes)
            while try reader.next() != nil {}
        }
    }
}
