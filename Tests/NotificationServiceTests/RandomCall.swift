internal import TestSupport

/// A field of a message taken apart, so that an edit of it leaves the frames around it whole.
struct WireField {
    enum Value {
        case varint(UInt64)
        case fixed64(UInt64)
        case bytes([UInt8])
        case message([WireField])
        /// A form that no field of an `Add` has, with its bytes.
        case other(form: UInt64, [UInt8])
    }

    var number: UInt64
    var value: Value
    /// Bytes by which the numbers of the frame are longer than they need.
    var padding = 0

    static func text(_ number: UInt64, _ text: String) -> Self {
        Self(number: number, value: .bytes(Array(text.utf8)))
    }

    static func varint(_ number: UInt64, _ value: UInt64) -> Self {
        Self(number: number, value: .varint(value))
    }

    static func double(_ number: UInt64, _ value: Double) -> Self {
        Self(number: number, value: .fixed64(value.bitPattern))
    }

    static func message(_ number: UInt64, _ fields: [WireField]) -> Self {
        Self(number: number, value: .message(fields))
    }

    static func bytes(of fields: [WireField]) -> [UInt8] { fields.flatMap(\.bytes) }

    private var bytes: [UInt8] {
        switch value {
        case .varint(let value): tag(0) + varint(value)
        case .fixed64(let bits):
            tag(1) + (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
        case .bytes(let bytes): tag(2) + varint(UInt64(bytes.count)) + bytes
        case .message(let fields):
            Self(number: number, value: .bytes(Self.bytes(of: fields)), padding: padding).bytes
        case .other(let form, let bytes): tag(form) + bytes
        }
    }

    private func tag(_ form: UInt64) -> [UInt8] { varint(number << 3 | form) }

    private func varint(_ value: UInt64) -> [UInt8] {
        var (rest, bytes) = (value, [UInt8]())
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
        for _ in 0..<padding {
            bytes[bytes.count - 1] |= 0x80
            bytes.append(0)
        }
        return bytes
    }
}

/// Makes calls that add, of all that the scanner knows, and edits them.
struct RandomCalls {
    private(set) var numbers = SeededGenerator()

    var seed: UInt64 { numbers.seed }

    mutating func isChosen(in count: Int) -> Bool { below(count) == 0 }

    private mutating func below(_ count: Int) -> Int { .random(in: 0..<count, using: &numbers) }

    // MARK: Usual calls

    /// The fields of a call that is scanned, in random order.
    mutating func usual(requestCount: Int) -> [WireField] {
        var fields = [
            WireField.message(1, some([.text(2, "watch:1")]) + [.text(1, "org.example.a")])
        ]
        fields += some([.text(2, "not yet checked")])
        for _ in 0..<requestCount { fields.append(.message(3, request())) }
        return fields.shuffled(using: &numbers)
    }

    private mutating func request() -> [WireField] {
        var fields = some([.text(1, name()), .text(4, name())])
        fields.append(.message(2, content()))
        if isChosen(in: 2) {
            fields.append(.message(3, trigger()))
            fields += some([.message(5, duration(atLeast: 1))])
        }
        return fields.shuffled(using: &numbers)
    }

    private mutating func content() -> [WireField] {
        var fields = some([
            .text(2, text()), .text(3, text()), .varint(4, drawn(below: 1 << 31)),
            .varint(5, drawn(below: 2)), .message(6, sound()), .text(8, name()),
            .text(9, name()), .text(10, userInfo()), .text(11, name()), .text(12, name()),
            .varint(13, 1 + drawn(below: 1 << 32 - 1)), .text(14, name()),
            .varint(15, drawn(below: 4)), .double(16, share()), .text(17, name()),
            .message(18, presentation()), .double(24, share()), .varint(25, drawn(below: 3)),
        ])
        fields.append(.text(1, "Title"))
        return fields.shuffled(using: &numbers)
    }

    private mutating func sound() -> [WireField] {
        let isCritical = isChosen(in: 2)
        let fields = some([.varint(1, drawn(below: 2)), .text(2, "bell.caf")])
        return isCritical ? fields + [.varint(3, 1)] + some([.double(4, share())]) : fields
    }

    private mutating func presentation() -> [WireField] {
        let options = (0..<below(3)).map { _ in UInt64(1) << drawn(below: 5) }
        guard isChosen(in: 2) else { return options.map { .varint(1, $0) } }
        return [WireField(number: 1, value: .bytes(options.map { UInt8($0) }))]
    }

    private mutating func trigger() -> [WireField] {
        guard isChosen(in: 3) else {
            let interval = duration(atLeast: 60)
            return some([.varint(1, 1)]) + [.message(3, [.message(1, interval)])]
        }
        let seconds = Int64.random(in: -9_000_000_000...9_000_000_000, using: &numbers)
        let fields = [WireField.varint(1, UInt64(bitPattern: seconds))]
        return [.message(8, fields + some([.varint(2, drawn(below: 1_000_000_000))]))]
    }

    private mutating func duration(atLeast seconds: UInt64) -> [WireField] {
        [.varint(1, seconds + drawn(below: 1 << 31))] + some([.varint(2, drawn(below: 1 << 29))])
    }

    /// Some of the fields, each as likely as not.
    private mutating func some(_ fields: [WireField]) -> [WireField] {
        fields.filter { _ in .random(using: &numbers) }
    }

    private mutating func drawn(below limit: UInt64) -> UInt64 {
        isChosen(in: 4) ? limit - 1 : .random(in: 0..<limit, using: &numbers)
    }

    private mutating func share() -> Double { [0, -0.0, 0.5, 1][below(4)] }

    private mutating func name() -> String {
        ["", "a", "é漢😀", "fifteen letters", "twenty letters, long"][below(5)]
    }

    private mutating func text() -> String {
        isChosen(in: 8) ? String(repeating: "é", count: below(200)) : name()
    }

    private mutating func userInfo() -> String {
        ["", "{}", #" {"a":[1,-2.5e3,{"b":"\u00e9\n"}],"é":null} "#][below(3)]
    }

    // MARK: Edits

    /// Changes one message of a call, which may leave it one that is scanned.
    mutating func edit(_ fields: inout [WireField]) {
        let inner = fields.indices.filter {
            if case .message = fields[$0].value { true } else { false }
        }
        if let index = inner.randomElement(using: &numbers), !isChosen(in: 4),
            case .message(var message) = fields[index].value
        {
            edit(&message)
            fields[index].value = .message(message)
            return
        }
        guard let index = fields.indices.randomElement(using: &numbers), !isChosen(in: 6) else {
            return fields.insert(unknown(), at: below(fields.count + 1))
        }
        switch below(6) {
        case 0: fields.append(fields[index])
        case 1: fields.remove(at: index)
        case 2: fields[index].padding = 1 + below(10)
        case 3: fields[index].number = drawn(below: 30)
        default: fields[index].value = changed(fields[index].value)
        }
    }

    private mutating func unknown() -> WireField {
        let values: [WireField.Value] = [
            .varint(1), .fixed64(1), .bytes([0x61]), .message([]), .other(form: 5, [1, 2, 3, 4]),
            .other(form: 3, []), .other(form: 4, []), .other(form: 7, []),
        ]
        let number = isChosen(in: 3) ? drawn(below: 1 << 29) : drawn(below: 30)
        return WireField(number: number, value: values[below(values.count)])
    }

    private mutating func changed(_ value: WireField.Value) -> WireField.Value {
        if isChosen(in: 8) { return unknown().value }
        switch value {
        case .varint(let number):
            let numbers: [UInt64] = [
                0, 2, 3, 5, 32, 127, 128, 256, 59, 1 << 31, 1 << 32, 1 << 32 | 1, 1 << 63, .max,
                ~number,
            ]
            return .varint(numbers[below(numbers.count)])
        case .fixed64:
            let numbers = [Double.nan, .infinity, -0.0, -1, 1, 1.5, .leastNonzeroMagnitude]
            return .fixed64(numbers[below(numbers.count)].bitPattern)
        case .bytes(var bytes):
            if isChosen(in: 4) { return .bytes([UInt8](repeating: 0x78, count: 240 + below(20))) }
            // No UTF-8: too short, too long, a surrogate, beyond the last, alone.
            let wrong: [[UInt8]] = [
                [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xA9],
                [0xFF], [0xE2, 0x82], [0x00], [0x22], [0x0A], [0x2D],
            ]
            bytes.insert(contentsOf: wrong[below(wrong.count)], at: below(bytes.count + 1))
            return .bytes(bytes)
        case .message, .other: return .message([])
        }
    }

    /// Changes bytes, wherever they lie.
    mutating func edit(_ bytes: inout [UInt8]) {
        let place = below(bytes.count + 1)
        switch below(4) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
        case 1 where place < bytes.count: bytes.remove(at: place)
        case 2: bytes.insert(UInt8(below(256)), at: place)
        default: bytes.removeSubrange(place...)
        }
    }
}
