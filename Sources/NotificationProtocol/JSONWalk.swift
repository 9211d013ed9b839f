/// Goes through a JSON text beside the descriptor of its message, up to the first fault.
///
/// It builds no value: what a hostile text costs is one more pass. Each scalar is judged by the
/// library's own reader of its type.
struct JSONWalk {
    private typealias Field = MessageSchema.Field

    /// As deep as the library reads messages.
    private static let depthLimit = 100

    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0

    /// Looks at a text that is to be a message.
    static func check(_ bytes: [UInt8], _ message: String) throws(JSONFault) {
        var walk = JSONWalk(bytes: bytes)
        walk.skipSpace()
        try walk.message(message, "")
        try walk.end()
    }

    /// Looks whether a text is one JSON value.
    static func checkSyntax(_ bytes: [UInt8]) throws(JSONFault) {
        var walk = JSONWalk(bytes: bytes)
        try walk.any()
        try walk.end()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    // MARK: Fields

    private mutating func message(_ name: String, _ path: String) throws(JSONFault) {
        guard peek() == UInt8(ascii: "{") else {
            let found = try found(showing: false)
            throw JSONFault(path: path, problem: "found \(found), where an object has to be")
        }
        guard let fields = MessageSchema.messages[name], !fields.isMapEntry else {
            return try any()
        }
        var seen: [Int32: String] = [:]
        try container(closedBy: "}") { (walk) throws(JSONFault) in
            let key = try walk.key()
            let inner = path.isEmpty ? key : "\(path).\(key)"
            guard let field = fields.byName[key] else {
                throw JSONFault(path: inner, problem: Self.unknown(fields.names))
            }
            let place = path.isEmpty ? field.name : "\(path).\(field.name)"
            let isNull = walk.peek() == UInt8(ascii: "n")
            try walk.field(field, place)
            // Refuse two fields of a oneof, of which chance would decide which counts.
            guard field.hasOneofIndex, !field.proto3Optional, !isNull else { return }
            if let other = seen.updateValue(field.name, forKey: field.oneofIndex) {
                throw JSONFault(path: place, problem: "only one of it and '\(other)' may be there")
            }
        }
    }

    private mutating func field(_ field: Field, _ path: String) throws(JSONFault) {
        if peek() == UInt8(ascii: "n") { return try word("null") }
        guard field.label == .repeated, !isMap(field) else { return try value(field, path) }
        guard peek() == UInt8(ascii: "[") else {
            let found = try found(showing: false)
            throw JSONFault(path: path, problem: "found \(found), where a list has to be")
        }
        var index = 0
        try container(closedBy: "]") { (walk) throws(JSONFault) in
            try walk.value(field, "\(path)[\(index)]")
            index += 1
        }
    }

    private func isMap(_ field: Field) -> Bool {
        MessageSchema.messages[Self.typeName(field)]?.isMapEntry == true
    }

    private mutating func value(_ field: Field, _ path: String) throws(JSONFault) {
        let type = Self.typeName(field)
        let scalar = JSONScalar(field.type, type)
        guard let scalar else { return try message(type, path) }
        let start = offset
        try any()
        guard !scalar.takes(bytes[start..<offset]) else { return }
        offset = start
        let isText = peek() == UInt8(ascii: "\"")
        let found =
            isText && scalar == .text
            ? "a text that is no Unicode" : try found(showing: scalar != .text)
        throw JSONFault(
            path: path,
            problem: "found \(found), where \(scalar.expectation) has to be"
        )
    }

    private static func typeName(_ field: Field) -> String { String(field.typeName.dropFirst()) }

    private static func unknown(_ names: [String]) -> String {
        guard !names.isEmpty else { return "there is no such field: the message has none" }
        return "there is no such field; there are \(Self.list(names))"
    }

    /// Names with commas, as many as a line has room for.
    static func list(_ names: [String]) -> String {
        var text = ""
        for (place, name) in names.enumerated() {
            guard text.utf8.count + name.utf8.count < 400 else {
                return text + " and \(names.count - place) more"
            }
            text += (place == 0 ? "" : ", ") + name
        }
        return text
    }

    /// The value that stands here, for a person: its kind, and its text unless that is content.
    private mutating func found(showing isShown: Bool) throws(JSONFault) -> String {
        let start = offset
        let kind: String
        switch peek() {
        case UInt8(ascii: "\""): kind = "the text"
        case UInt8(ascii: "{"): return "an object"
        case UInt8(ascii: "["): return "a list"
        case UInt8(ascii: "t"): return "true"
        case UInt8(ascii: "f"): return "false"
        case UInt8(ascii: "n"): return "null"
        default: kind = "the number"
        }
        try any()
        guard isShown else { return kind.replacing("the ", with: "a ") }
        let text = String(decoding: bytes[start..<offset].prefix(60), as: UTF8.self)
        return "\(kind) \(Self.plain(text))" + (offset - start > 60 ? "..." : "")
    }

    /// A text of the body without what would change a line or a terminal.
    private static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map {
                    switch $0.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "?"
                    default: $0
                    }
                }
            )
        )
    }

    // MARK: Text

    private func fault(_ problem: String) -> JSONFault {
        let before = bytes[..<min(offset, bytes.count)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
        let isOneLine = !bytes.contains(UInt8(ascii: "\n"))
        let place = isOneLine ? "column \(column)" : "line \(line), column \(column)"
        return JSONFault(path: "", problem: "it is no JSON: \(problem) at \(place)")
    }

    private func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func end() throws(JSONFault) {
        skipSpace()
        guard offset == bytes.count else { throw fault("more text follows the value") }
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            offset += 1
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    /// A key and the colon behind it, up to its value.
    private mutating func key() throws(JSONFault) -> String {
        let start = offset
        try string()
        let text = JSONScalar.text(bytes[start..<offset])
        skipSpace()
        guard take(":") else { throw fault("a : is missing") }
        skipSpace()
        return text.map { Self.plain(String($0.prefix(100))) } ?? ""
    }

    /// A value of any kind, with the space before it.
    private mutating func any() throws(JSONFault) {
        skipSpace()
        switch peek() {
        case UInt8(ascii: "{"):
            try container(closedBy: "}") { (walk) throws(JSONFault) in
                _ = try walk.key()
                try walk.any()
            }
        case UInt8(ascii: "["):
            try container(closedBy: "]") { (walk) throws(JSONFault) in try walk.any() }
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
    }

    private mutating func container(
        closedBy end: Unicode.Scalar,
        _ element: (inout JSONWalk) throws(JSONFault) -> Void
    ) throws(JSONFault) {
        depth += 1
        guard depth <= Self.depthLimit else {
            throw fault("it nests deeper than \(Self.depthLimit)")
        }
        offset += 1
        skipSpace()
        if !take(end) {
            repeat {
                skipSpace()
                try element(&self)
                skipSpace()
            } while take(",")
            guard take(end) else { throw fault("a , or \(end) is missing") }
        }
        depth -= 1
    }

    private mutating func word(_ word: String) throws(JSONFault) {
        for byte in word.utf8 {
            guard peek() == byte else { throw fault("there is no value") }
            offset += 1
        }
    }

    private mutating func string() throws(JSONFault) {
        guard take("\"") else { throw fault("a name in quotes is missing") }
        while let byte = peek() {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): offset += 1
            case 0..<0x20:
                offset -= 1
                throw fault("there is a control character in a text")
            default: break
            }
        }
        throw fault("a text does not end")
    }

    private mutating func number() throws(JSONFault) {
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
    }

    private mutating func digits() throws(JSONFault) {
        let start = offset
        while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            offset += 1
        }
        guard offset > start else { throw fault("there is no value") }
    }
}
