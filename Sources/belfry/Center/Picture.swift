/// A picture as pixels, for a terminal.
struct Picture: Equatable {
    /// A colour of 24 bits.
    struct Color: Equatable {
        var red: UInt8
        var green: UInt8
        var blue: UInt8
    }

    /// The width in pixels.
    let width: Int
    /// The height in pixels.
    let height: Int
    /// The colours, row by row.
    let pixels: [Color]

    /// The most pixels that are decoded: a picture of 256 KiB can claim to be far larger.
    private static let pixelLimit = 1_000_000

    /// The width and height that the header of a PNG, GIF or JPEG tells; nil for other data.
    static func size(of data: [UInt8]) -> (width: Int, height: Int)? {
        if isPNG(data), data.count >= 24 {
            return (number(data, 16, 4), number(data, 20, 4))
        }
        if data.starts(with: "GIF8".utf8), data.count >= 10 {
            return (Int(data[6]) | Int(data[7]) << 8, Int(data[8]) | Int(data[9]) << 8)
        }
        return data.starts(with: [0xFF, 0xD8]) ? sizeOfJPEG(data) : nil
    }

    /// Decodes a PNG of eight bits a channel that is not interlaced; nil for other data.
    init?(png data: [UInt8]) {
        guard let chunks = Self.chunks(data), let size = Self.size(of: data), data.count > 28,
            size.width > 0, size.height > 0, size.width <= Self.pixelLimit / size.height,
            data[24] == 8, data[28] == 0
        else { return nil }
        let channels: Int
        switch data[25] {
        case 0, 3: channels = 1
        case 2: channels = 3
        case 4: channels = 2
        case 6: channels = 4
        default: return nil
        }
        let stride = size.width * channels
        let packed = chunks.data
        // Skip two bytes, the header of zlib; the last four are a checksum.
        guard packed.count > 6,
            let rows = Inflate.bytes(
                of: packed.dropFirst(2).dropLast(4),
                count: size.height * (stride + 1)
            ),
            let bytes = Self.unfiltered(rows, stride: stride, channels: channels)
        else { return nil }
        width = size.width
        height = size.height
        pixels = Swift.stride(from: 0, to: bytes.count, by: channels).map { place in
            Self.color(bytes[place..<place + channels], chunks.palette, isIndexed: data[25] == 3)
        }
    }

    /// The picture in fewer pixels: each is the one nearest to its middle.
    func scaled(width columns: Int, height rows: Int) -> Picture {
        Picture(
            width: columns,
            height: rows,
            pixels: (0..<columns * rows).map { place in
                let x = (2 * (place % columns) + 1) * width / (2 * columns)
                let y = (2 * (place / columns) + 1) * height / (2 * rows)
                return pixels[y * width + x]
            }
        )
    }

    private init(width: Int, height: Int, pixels: [Color]) {
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    // MARK: The format

    private static func isPNG(_ data: [UInt8]) -> Bool {
        data.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    }

    /// Reads a big-endian number; the bytes must be there.
    private static func number(_ data: [UInt8], _ place: Int, _ count: Int) -> Int {
        data[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The palette and the packed rows of a PNG.
    private static func chunks(_ data: [UInt8]) -> (palette: [UInt8], data: ArraySlice<UInt8>)? {
        guard isPNG(data) else { return nil }
        var (place, palette, packed) = (8, [UInt8](), [UInt8]())
        while place + 12 <= data.count {
            let count = number(data, place, 4)
            guard count <= data.count - place - 12 else { return nil }
            let body = data[place + 8..<place + 8 + count]
            switch String(decoding: data[place + 4..<place + 8], as: UTF8.self) {
            case "PLTE": palette = Array(body)
            case "IDAT": packed += body
            default: break
            }
            place += count + 12
        }
        return (palette, packed[...])
    }

    /// Undoes the filters of the rows, each of which begins with the number of its filter.
    private static func unfiltered(
        _ rows: [UInt8],
        stride: Int,
        channels: Int
    ) -> [UInt8]? {
        var before = [UInt8](repeating: 0, count: stride)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.count)
        for start in Swift.stride(from: 0, to: rows.count, by: stride + 1) {
            var row = Array(rows[start + 1..<start + 1 + stride])
            for place in row.indices {
                let left = place < channels ? 0 : row[place - channels]
                let upper = before[place]
                let corner = place < channels ? 0 : before[place - channels]
                switch rows[start] {
                case 0: break
                case 1: row[place] &+= left
                case 2: row[place] &+= upper
                case 3: row[place] &+= UInt8((Int(left) + Int(upper)) / 2)
                case 4: row[place] &+= nearest(left, upper, corner)
                default: return nil
                }
            }
            bytes += row
            before = row
        }
        return bytes
    }

    /// Paeth's choice: whichever of the three is nearest to left + upper - corner.
    private static func nearest(_ left: UInt8, _ upper: UInt8, _ corner: UInt8) -> UInt8 {
        let guess = Int(left) + Int(upper) - Int(corner)
        let distances = [left, upper, corner].map { abs(guess - Int($0)) }
        if distances[0] <= distances[1], distances[0] <= distances[2] { return left }
        return distances[1] <= distances[2] ? upper : corner
    }

    /// The colour of a pixel, over black where it is transparent.
    private static func color(
        _ bytes: ArraySlice<UInt8>,
        _ palette: [UInt8],
        isIndexed: Bool
    ) -> Color {
        var parts = Array(bytes)
        if isIndexed {
            let place = Int(parts[0]) * 3
            parts = place + 3 <= palette.count ? Array(palette[place..<place + 3]) : [0, 0, 0]
        }
        let alpha = [2, 4].contains(parts.count) ? Int(parts.removeLast()) : 255
        let shades = parts.map { UInt8(Int($0) * alpha / 255) }
        return shades.count == 3
            ? Color(red: shades[0], green: shades[1], blue: shades[2])
            : Color(red: shades[0], green: shades[0], blue: shades[0])
    }

    private static func sizeOfJPEG(_ data: [UInt8]) -> (width: Int, height: Int)? {
        var place = 2
        while place + 9 <= data.count, data[place] == 0xFF {
            let marker = data[place + 1]
            // Take the frame headers, but not the tables between them.
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return (number(data, place + 7, 2), number(data, place + 5, 2))
            }
            place += 2 + number(data, place + 2, 2)
        }
        return nil
    }
}
