internal import NotificationCore
internal import NotificationRecords

/// An item of a batch that was refused.
extension Refusal: StoredReply {
    /// A bit in the kind's number: the fields, facts and hint follow by type.
    ///
    /// Earlier versions wrote the whole refusal in the words of the wire.
    private static var typedMark: UInt8 { 0x80 }

    func write(to writer: inout ByteWriter) {
        writer.put(kind.rawValue | Self.typedMark)
        writer.put(reason.rawValue)
        writer.put(message)
        writer.put(namesFields)
        writer.putVarint(UInt64(fields.count))
        for field in fields {
            field.path.write(to: &writer)
            writer.put(field.problem)
        }
        writer.putVarint(UInt64(facts.count))
        for (fact, value) in facts {
            writer.put(fact.rawValue)
            writer.put(value)
        }
        writer.put(hint) { $1.write(to: &$0) }
    }

    init(_ reader: inout ByteReader) throws(RowProblem) {
        let number: UInt8 = try reader.number()
        guard let kind = Kind(rawValue: number & ~Self.typedMark) else {
            throw .undecodable
        }
        guard number & Self.typedMark != 0 else {
            try self.init(earlier: kind, &reader)
            return
        }
        guard let reason = Reason(rawValue: try reader.text()) else { throw .undecodable }
        self.init(kind, reason: reason, message: try reader.text())
        namesFields = try reader.bool()
        for _ in 0..<(try reader.count()) {
            fields.append(WrongField(try FieldPath(&reader), try reader.text()))
        }
        try readFacts(&reader)
        hint = try reader.optional { reader throws(RowProblem) in try Hint(&reader) }
    }

    /// Reads a refusal in the words of the wire.
    private init(earlier kind: Kind, _ reader: inout ByteReader) throws(RowProblem) {
        guard let reason = Reason(inCapitals: try reader.text()) else {
            throw .undecodable
        }
        // The message begins with the names of the fields, and the reason tells Apple's number.
        self.init(kind, reason: reason, message: try reader.text())
        let _: Int? = try reader.optional { reader throws(RowProblem) in try reader.number() }
        for _ in 0..<(try reader.count()) {
            let path = FieldPath([.written(try reader.text())])
            fields.append(WrongField(path, try reader.text()))
        }
        try readFacts(&reader)
    }

    private mutating func readFacts(_ reader: inout ByteReader) throws(RowProblem) {
        for _ in 0..<(try reader.count()) {
            facts[Fact(rawValue: try reader.text())] = try reader.text()
        }
    }
}

extension Reason {
    /// Reads a reason as earlier versions wrote it, such as `PENDING_LIMIT`.
    fileprivate init?(inCapitals text: String) {
        let words = text.lowercased().utf8.split(separator: UInt8(ascii: "_")).map {
            String(decoding: $0, as: UTF8.self)
        }
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        self.init(rawValue: (words.prefix(1) + rest).joined())
    }
}

extension FieldPath {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.putVarint(UInt64(steps.count))
        for step in steps {
            switch step {
            case .field(let field):
                writer.put(1 as UInt8)
                writer.put(field.rawValue)
            case .index(let index):
                writer.put(2 as UInt8)
                writer.put(index)
            case .key(let key):
                writer.put(3 as UInt8)
                writer.put(key)
            case .written(let path):
                writer.put(4 as UInt8)
                writer.put(path)
            }
        }
    }

    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init([])
        for _ in 0..<(try reader.count()) {
            switch try reader.number() as UInt8 {
            case 1: steps.append(.field(try Field(&reader)))
            case 2: steps.append(.index(try reader.number()))
            case 3: steps.append(.key(try reader.text()))
            case 4: steps.append(.written(try reader.text()))
            default: throw .undecodable
            }
        }
    }
}

extension Field {
    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        guard let field = Field(rawValue: try reader.text()) else { throw .undecodable }
        self = field
    }
}

extension Refusal.Hint {
    fileprivate func write(to writer: inout ByteWriter) {
        switch self {
        case .askForPermission: writer.put(1 as UInt8)
        case .lacks(.notAsked): writer.put(2 as UInt8)
        case .lacks(.denied): writer.put(3 as UInt8)
        case .lacks(.setting(let field, let setting)):
            writer.put(4 as UInt8)
            writer.put(field.rawValue)
            writer.put(setting.rawValue)
        case .askForAppSettings: writer.put(5 as UInt8)
        case .startWithManualClock: writer.put(6 as UInt8)
        case .repeatWithSameKey: writer.put(7 as UInt8)
        case .beginAnew: writer.put(8 as UInt8)
        case .repairStore: writer.put(9 as UInt8)
        case .lacks(.notAnswered): writer.put(10 as UInt8)
        }
    }

    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        switch try reader.number() as UInt8 {
        case 1: self = .askForPermission
        case 2: self = .lacks(.notAsked)
        case 3: self = .lacks(.denied)
        case 4: self = .lacks(.setting(try Field(&reader), try reader.choice()))
        case 5: self = .askForAppSettings
        case 6: self = .startWithManualClock
        case 7: self = .repeatWithSameKey
        case 8: self = .beginAnew
        case 9: self = .repairStore
        case 10: self = .lacks(.notAnswered)
        default: throw .undecodable
        }
    }
}

extension CategoryWarning: StoredReply {
    func write(to writer: inout ByteWriter) {
        // Earlier versions began with the code, which is not empty, and wrote the path in the words
        // of the wire.
        writer.put("")
        writer.put(code.rawValue)
        path.write(to: &writer)
        writer.put(message)
    }

    init(_ reader: inout ByteReader) throws(RowProblem) {
        let first = try reader.text()
        let isTyped = first.isEmpty
        guard let code = Code(rawValue: isTyped ? try reader.text() : first) else {
            throw .undecodable
        }
        let path =
            isTyped ? try FieldPath(&reader) : FieldPath([.written(try reader.text())])
        self.init(code: code, path: path, message: try reader.text())
    }
}
