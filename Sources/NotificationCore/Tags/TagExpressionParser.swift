/// Reads a tag expression from left to right, with a stack of operators in place of recursion: no
/// nesting overflows a thread's stack.
struct TagExpressionParser {
    private enum Operator {
        case or, and, not, parenthesis(position: Int)

        /// How tightly the operator binds.
        var rank: Int {
            switch self {
            case .parenthesis: 0
            case .or: 1
            case .and: 2
            case .not: 3
            }
        }
    }

    private let bytes: [UInt8]
    private var offset = 0
    private var operators: [Operator] = []
    private var steps: [TagExpression.Step] = []
    /// Where each tag begins.
    private var tagPositions: [Int] = []
    /// Whether `||` is the only operator.
    private var hasAlternativesAlone = true

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The steps of the expression, which is not empty.
    mutating func read() throws(TagExpressionFault) -> [TagExpression.Step] {
        guard bytes.count <= TagExpression.byteLimit else {
            throw fault("is longer than \(TagExpression.byteLimit) bytes", TagExpression.byteLimit)
        }
        while true {
            try readOperand()
            guard try readOperator() else { break }
        }
        let limit =
            hasAlternativesAlone ? TagExpression.tagLimitOfAlternatives : TagExpression.tagLimit
        guard tagPositions.count <= limit else {
            throw fault("has more than \(limit) tags", tagPositions[limit])
        }
        return steps
    }

    private func fault(_ problem: String, _ position: Int? = nil) -> TagExpressionFault {
        TagExpressionFault(position: position ?? offset, problem: problem)
    }

    private mutating func skipSpace() {
        while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
    }

    private mutating func take(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes[offset...].starts(with: "\(text)".utf8) else { return false }
        offset += count
        return true
    }

    /// Reads `!` and `(` any number of times, then a tag.
    private mutating func readOperand() throws(TagExpressionFault) {
        while true {
            skipSpace()
            let position = offset
            if take("!") {
                hasAlternativesAlone = false
                operators.append(.not)
            } else if take("(") {
                operators.append(.parenthesis(position: position))
            } else {
                return try readTag()
            }
        }
    }

    /// Whether a byte may stand in a tag (AZ-2).
    private static func isOfTag(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_@#.:-".utf8.contains(byte)
        }
    }

    private mutating func readTag() throws(TagExpressionFault) {
        let start = offset
        if take("$InstallationId:{") {
            guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: "}")) else {
                throw fault("has no } for this {", offset - 1)
            }
            let name = String(decoding: bytes[offset..<end], as: UTF8.self)
            guard CenterName.isName(name, atMost: Limits.deviceIDBytes, extra: "._:-") else {
                throw fault("needs the name of a device")
            }
            offset = end + 1
            steps.append(.device(name))
        } else {
            while offset < bytes.count, Self.isOfTag(bytes[offset]) { offset += 1 }
            guard offset > start else { throw fault("needs a tag") }
            guard offset - start <= Limits.tagBytes else {
                throw fault("has a tag of more than \(Limits.tagBytes) bytes", start)
            }
            steps.append(.tag(String(decoding: bytes[start..<offset], as: UTF8.self)))
        }
        tagPositions.append(start)
    }

    /// Reads `)` any number of times, then `&&`, `||` or the end; false at the end.
    private mutating func readOperator() throws(TagExpressionFault) -> Bool {
        while true {
            skipSpace()
            guard offset < bytes.count else {
                apply(from: 1)
                if case .parenthesis(let position)? = operators.last {
                    throw fault("has no ) for this (", position)
                }
                return false
            }
            if take(")") {
                apply(from: 1)
                guard operators.popLast() != nil else {
                    throw fault("has no ( for this )", offset - 1)
                }
            } else if take("&&") {
                hasAlternativesAlone = false
                apply(from: 2)
                operators.append(.and)
                return true
            } else if take("||") {
                apply(from: 1)
                operators.append(.or)
                return true
            } else {
                throw fault("needs &&, || or )")
            }
        }
    }

    /// Moves the operators that bind at least as tightly as `rank` to the steps.
    private mutating func apply(from rank: Int) {
        while let last = operators.last, last.rank >= rank {
            operators.removeLast()
            switch last {
            case .or: steps.append(.or)
            case .and: steps.append(.and)
            case .not: steps.append(.not)
            case .parenthesis: return
            }
        }
    }
}
