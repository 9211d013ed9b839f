/// Expands data that was packed with DEFLATE (RFC 1951), up to a given number of bytes.
///
/// The data may be hostile: a table or a distance that makes no sense ends the work, and no more
/// than the expected bytes are ever made.
struct Inflate {
    private struct Malformed: Error {}

    /// The codes of one alphabet, as RFC 1951 orders them.
    private struct Codes {
        /// How many codes each length has.
        private var counts = [Int](repeating: 0, count: 16)
        private var symbols: [Int]

        init(lengths: some Collection<Int>) {
            for length in lengths { counts[length] += 1 }
            counts[0] = 0
            var places = [Int](repeating: 0, count: 16)
            for length in 1..<15 { places[length + 1] = places[length] + counts[length] }
            symbols = [Int](repeating: 0, count: lengths.count)
            for (symbol, length) in lengths.enumerated() where length > 0 {
                symbols[places[length]] = symbol
                places[length] += 1
            }
        }

        func next(_ input: inout Inflate) throws -> Int {
            var (code, first, place) = (0, 0, 0)
            for length in 1..<16 {
                code |= try input.bits(1)
                let count = counts[length]
                // Refuse lengths that promise more codes than there are.
                guard code >= first else { throw Malformed() }
                if code - count < first { return symbols[place + code - first] }
                place += count
                first = (first + count) << 1
                code <<= 1
            }
            throw Malformed()
        }
    }

    private static let lengthOrder = [
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
    ]

    private var input: ArraySlice<UInt8>
    private var buffer = 0
    private var bitCount = 0
    private var output: [UInt8] = []
    private let limit: Int

    private init(_ input: ArraySlice<UInt8>, limit: Int) {
        self.input = input
        self.limit = limit
    }

    /// Expands data; nil where it is malformed or does not give exactly `count` bytes.
    static func bytes(of input: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
        var inflate = Inflate(input, limit: count)
        guard (try? inflate.run()) != nil, inflate.output.count == count else { return nil }
        return inflate.output
    }

    private mutating func bits(_ count: Int) throws -> Int {
        while bitCount < count {
            guard let byte = input.popFirst() else { throw Malformed() }
            buffer |= Int(byte) << bitCount
            bitCount += 8
        }
        defer {
            buffer >>= count
            bitCount -= count
        }
        return buffer & ((1 << count) - 1)
    }

    private mutating func put(_ byte: UInt8) throws {
        guard output.count < limit else { throw Malformed() }
        output.append(byte)
    }

    private mutating func run() throws {
        var isLast = false
        while !isLast {
            isLast = try bits(1) == 1
            switch try bits(2) {
            case 0: try copyStored()
            case 1:
                let lengths =
                    [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112)
                    + [Int](repeating: 7, count: 24) + [Int](repeating: 8, count: 8)
                try expand(
                    Codes(lengths: lengths),
                    Codes(lengths: [Int](repeating: 5, count: 30))
                )
            case 2: try expandWithOwnCodes()
            default: throw Malformed()
            }
        }
    }

    private mutating func copyStored() throws {
        buffer = 0
        bitCount = 0
        let (count, complement) = (try bits(16), try bits(16))
        guard count == ~complement & 0xFFFF else { throw Malformed() }
        for _ in 0..<count {
            guard let byte = input.popFirst() else { throw Malformed() }
            try put(byte)
        }
    }

    private mutating func expandWithOwnCodes() throws {
        let literals = try bits(5) + 257
        let distances = try bits(5) + 1
        let lengthCodes = try bits(4) + 4
        var lengths = [Int](repeating: 0, count: 19)
        for place in 0..<lengthCodes { lengths[Self.lengthOrder[place]] = try bits(3) }
        let codes = Codes(lengths: lengths)
        lengths = []
        while lengths.count < literals + distances {
            let symbol = try codes.next(&self)
            switch symbol {
            case 0..<16: lengths.append(symbol)
            case 16:
                guard let last = lengths.last else { throw Malformed() }
                lengths += [Int](repeating: last, count: try bits(2) + 3)
            case 17: lengths += [Int](repeating: 0, count: try bits(3) + 3)
            default: lengths += [Int](repeating: 0, count: try bits(7) + 11)
            }
        }
        guard lengths.count == literals + distances else { throw Malformed() }
        try expand(
            Codes(lengths: lengths.prefix(literals)),
            Codes(lengths: lengths.suffix(distances))
        )
    }

    private mutating func expand(_ literals: Codes, _ distances: Codes) throws {
        while true {
            let symbol = try literals.next(&self)
            if symbol == 256 { return }
            if symbol < 256 {
                try put(UInt8(symbol))
                continue
            }
            let length = try length(symbol - 257)
            let distance = try distance(try distances.next(&self))
            guard distance <= output.count else { throw Malformed() }
            for _ in 0..<length { try put(output[output.count - distance]) }
        }
    }

    /// The length of a copy: eight codes without further bits, then groups of four that double.
    private mutating func length(_ code: Int) throws -> Int {
        switch code {
        case 0..<8: return code + 3
        case 8..<28:
            let extra = code / 4 - 1
            return (4 + code % 4) << extra + 3 + (try bits(extra))
        case 28: return 258
        default: throw Malformed()
        }
    }

    /// The distance of a copy: four codes without further bits, then pairs that double.
    private mutating func distance(_ code: Int) throws -> Int {
        guard code < 30 else { throw Malformed() }
        guard code >= 4 else { return code + 1 }
        let extra = code / 2 - 1
        return (2 + code % 2) << extra + 1 + (try bits(extra))
    }
}
