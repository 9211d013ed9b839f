package import NotificationCore
package import NotificationRecords

extension Result: Coded where Success: Coded, Failure == Refusal {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .success(let success):
            writer.put(true)
            success.write(to: &writer)
        case .failure(let refusal):
            writer.put(false)
            refusal.write(to: &writer)
        }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self = try reader.bool() ? .success(try reader.value()) : .failure(try reader.value())
    }
}

/// An item of a batch that was refused.
extension Refusal: Coded {
    /// The steps of a path, and the bytes of a name in it, that are kept: names are the caller's.
    fileprivate static let keptSteps = 8
    fileprivate static let keptNameBytes = 64
    /// The fields and the facts that are kept.
    private static let keptParts = 4

    /// Writes the reason and the fields, without the words: a caller can have many items refused,
    /// and the store would keep as many texts.
    package func write(to writer: inout ByteWriter) {
        writer.put(kind.rawValue)
        writer.put(reason.rawValue)
        writer.put(namesFields)
        writer.putVarint(UInt64(min(fields.count, Self.keptParts)))
        for field in fields.prefix(Self.keptParts) { field.path.write(to: &writer) }
        let kept = facts.sorted { $0.key.rawValue < $1.key.rawValue }.prefix(Self.keptParts)
        writer.putVarint(UInt64(kept.count))
        for (fact, value) in kept {
            writer.put(fact.rawValue)
            writer.put(value.cut(to: Self.keptNameBytes))
        }
        writer.put(hint) { $1.write(to: &$0) }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        let kind: Kind = try reader.choice()
        guard let reason = Reason(rawValue: try reader.text()) else { throw .undecodable }
        self.init(kind, reason: reason, message: "was refused by the first call with this key")
        namesFields = try reader.bool()
        for _ in 0..<(try reader.count()) {
            fields.append(WrongField(try FieldPath(&reader), "was refused by the first call"))
        }
        try readFacts(&reader)
        hint = try reader.optional { reader throws(RowProblem) in try Hint(&reader) }
    }

    private mutating func readFacts(_ reader: inout ByteReader) throws(RowProblem) {
        for _ in 0..<(try reader.count()) {
            facts[Fact(rawValue: try reader.text())] = try reader.text()
        }
    }
}

extension String {
    /// The text, or as much of it as fits.
    fileprivate func cut(to byteCount: Int) -> String {
        utf8.count <= byteCount ? self : String(decoding: utf8.prefix(byteCount), as: UTF8.self)
    }
}

extension FieldPath {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.putVarint(UInt64(min(steps.count, Refusal.keptSteps)))
        for step in steps.prefix(Refusal.keptSteps) {
            switch step {
            case .field(let field):
                writer.put(1 as UInt8)
                writer.put(field.rawValue)
            case .index(let index):
                writer.put(2 as UInt8)
                writer.put(index)
            case .key(let key):
                writer.put(3 as UInt8)
                writer.put(key.cut(to: Refusal.keptNameBytes))
            case .written(let path):
                writer.put(4 as UInt8)
                writer.put(path.cut(to: Refusal.keptNameBytes))
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

extension CategoryWarning: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(code.rawValue)
        path.write(to: &writer)
        writer.put(message)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        guard let code = Code(rawValue: try reader.text()) else { throw .undecodable }
        self.init(code: code, path: try FieldPath(&reader), message: try reader.text())
    }
}
