internal import Testing

@testable internal import belfry

@Suite("Pictures for a terminal")
struct PictureTests {
    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    private typealias Color = Picture.Color

    /// Five rows of three pixels, each row with another filter.
    static let filtered = bytes(
        """
        89504e470d0a1a0a0000000d49484452000000030000000508020000000f13c1f50000002f4944415478
        da636038c1c078c288e9440a23d716064606232062e27ac30041cc22360c6cdf24818805c86364002100
        1f8e0a7450e5d8db0000000049454e44ae426082
        """
    )

    @Test("Each filter of a row is undone")
    func filters() throws {
        let picture = try #require(Picture(png: Self.filtered))
        #expect(picture.width == 3)
        #expect(picture.height == 5)
        var expected: [Picture.Color] = []
        for row in 0..<5 {
            for column in 0..<3 {
                let (red, green, blue) = (10 * row + column, 200 - 20 * row, 50 * column)
                expected.append(
                    Color(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
                )
            }
        }
        #expect(picture.pixels == expected)
    }

    @Test(
        "Each kind of pixel is read; what lets through is over black",
        arguments: [
            (
                """
                89504e470d0a1a0a0000000d4948445200000002000000010803000000c3fc8fb800000006504c544501
                020304050695536f480000000b4944415478da6360600400000400022cde48ad0000000049454e44ae42
                6082
                """,
                [Color(red: 1, green: 2, blue: 3), Color(red: 4, green: 5, blue: 6)]
            ),
            (
                """
                89504e470d0a1a0a0000000d49484452000000020000000108040000005e2bb7010000000d4944415478
                da6338f1ff84310007e502c3b0851ec70000000049454e44ae426082
                """,
                [Color(red: 200, green: 200, blue: 200), Color(red: 40, green: 40, blue: 40)]
            ),
            (
                """
                89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d4944415478
                da63f89fc2600c000560019707844d450000000049454e44ae426082
                """,
                [Color(red: 51, green: 20, blue: 0)]
            ),
            (
                """
                89504e470d0a1a0a0000000d4948445200000002000000010800000000d14920560000000e4944415478
                01010300fcff000709001a0011b4523fac0000000049454e44ae426082
                """,
                [Color(red: 7, green: 7, blue: 7), Color(red: 9, green: 9, blue: 9)]
            ),
        ]
    )
    func kinds(_ hexadecimal: String, _ pixels: [Picture.Color]) {
        #expect(Picture(png: Self.bytes(hexadecimal))?.pixels == pixels)
    }

    /// 960 bytes, packed with codes of their own.
    private static let packed = bytes(
        """
        ed91db6d40210c4367b59dd704bca6af6f87e8572590109893d849edfb8498d793793b06eb64c57be8c6
        dc512c01486265750df0493931e50351871995b319a3358dc2a9267dde486dcecccdaa0aae7e35a12ec4
        b32a630643f60e292dc1c044ff48c456186526f2eeb30637f1d8c5b19a7e9a131520e39a18b89345d5d6
        a5f5e02969a3611f036b5c5eae00ef6c766bc6bf53751b01f33bea589ac9293bafe219e781f61db27455
        ae30cc5e36b745eb4a7ee3dad4e9655f67efd71fb6235ab54a3dce86e62a762ea7d5ee50d7755d224e32
        d631f571349433b0b5a7c0813389cfeceb35293ebb2ee5be7952111f42fee4c92d8ad1cb26798828c8e0
        75d9e3962bbaca93da6ee37ba7fd38590381cb6f1829937c15e81b6f71f73857f76140e840aff569266d
        db316c2dd70dba8570885ff002b7e6378b773dd4bdd321e87ffdc1fa01
        """
    )

    @Test("Codes of the data's own are read, and no more bytes are made than are expected")
    func inflate() throws {
        let expanded = try #require(Inflate.bytes(of: Self.packed[...], count: 960))
        #expect(expanded.reduce(0) { $0 + Int($1) } % 65_536 == 32_182)
        #expect(expanded.suffix(6) == Array("abcabc".utf8)[...])
        #expect(Inflate.bytes(of: Self.packed[...], count: 959) == nil)
        #expect(Inflate.bytes(of: Self.packed[...], count: 961) == nil)
    }

    @Test("Broken data is no picture, and harms nothing")
    func broken() {
        for place in Self.filtered.indices.dropLast(12) {
            #expect(Picture(png: Array(Self.filtered[..<place])) == nil)
            for bit in 0..<8 {
                var data = Self.filtered
                data[place] ^= 1 << bit
                if let picture = Picture(png: data) {
                    #expect(picture.pixels.count == picture.width * picture.height)
                }
                _ = Picture.size(of: data)
            }
        }
        for place in Self.packed.indices {
            for bit in 0..<8 {
                var data = Self.packed
                data[place] ^= 1 << bit
                _ = Inflate.bytes(of: data[...], count: 960)
            }
        }
    }

    @Test(
        "The size is read from the header",
        arguments: [
            ("474946383961 0a00 0500", 10, 5),
            ("ffd8 ffe0 0004 0000 ffc0 0011 08 0010 0020", 32, 16),
        ]
    )
    func size(_ hexadecimal: String, width: Int, height: Int) throws {
        let size = try #require(Picture.size(of: Self.bytes(hexadecimal)))
        #expect(size.width == width)
        #expect(size.height == height)
    }

    @Test("Other data has no size", arguments: ["", "00", "ffd8", "ffd8 ffda 0000", "89504e47"])
    func noSize(_ hexadecimal: String) {
        #expect(Picture.size(of: Self.bytes(hexadecimal)) == nil)
    }

    @Test("A smaller picture has the pixels that are nearest")
    func scaled() throws {
        let picture = try #require(Picture(png: Self.filtered))
        let small = picture.scaled(width: 1, height: 1)
        #expect(small.pixels == [Color(red: 21, green: 160, blue: 50)])
    }
}
