/// A content line of iCalendar (RFC 5545, 3.1): "DTSTART;TZID=Europe/Lisbon:20261224T180000".
struct ContentLine: Equatable {
    /// The line of the file on which it begins, from 1.
    let number: Int
    /// The property, in capitals.
    let name: String
    /// The values as they stand; quotation marks are dropped.
    private let parameters: [String: String]
    let value: String

    /// Reads a line that is unfolded.
    ///
    /// - Throws: The problem, with the line's number.
    init(_ bytes: ArraySlice<UInt8>, number: Int) throws(RequestFile.Problem) {
        func problem(_ text: String) -> RequestFile.Problem {
            RequestFile.Problem(text: "line \(number): \(text)")
        }
        var reader = Reader(rest: bytes)
        guard let name = reader.name() else {
            throw problem("is no content line, as SUMMARY:Tea")
        }
        var parameters: [String: String] = [:]
        while reader.take(";") {
            guard let parameter = reader.name(), reader.take("="), let value = reader.values()
            else { throw problem("\(name): has a parameter that cannot be read") }
            guard parameters.updateValue(value, forKey: parameter) == nil else {
                throw problem("\(name): has the parameter \(parameter) twice")
            }
        }
        guard reader.take(":") else {
            throw problem("\(name): a colon and a value are missing")
        }
        guard let value = String(validating: reader.rest, as: UTF8.self) else {
            throw problem("\(name): is no UTF-8")
        }
        self.number = number
        self.name = name
        self.parameters = parameters
        self.value = value
    }

    func parameter(_ name: String) -> String? { parameters[name] }

    /// Gives a problem of the line, for a person.
    func problem(_ text: String) -> RequestFile.Problem {
        RequestFile.Problem(text: "line \(number): \(name): \(text)")
    }

    /// The value as a text: without the escapes (RFC 5545, 3.3.11).
    var text: String {
        var text = ""
        var rest = value.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\\", let escaped = rest.popFirst() else {
                text.unicodeScalars.append(scalar)
                continue
            }
            text.unicodeScalars.append(escaped == "n" || escaped == "N" ? "\n" : escaped)
        }
        return text
    }

    /// The value's parts between commas.
    var list: [Substring] { value.split(separator: ",", omittingEmptySubsequences: false) }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        /// Reads a name of letters, digits and hyphens, in capitals.
        mutating func name() -> String? {
            let bytes = rest.prefix { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
            rest = rest[bytes.endIndex...]
            // A property's longest name in use has 30 characters.
            guard (1...64).contains(bytes.count) else { return nil }
            return String(decoding: bytes, as: UTF8.self).uppercased()
        }

        /// Reads the values of a parameter, of which some may be in quotation marks.
        mutating func values() -> String? {
            var bytes: [UInt8] = []
            var isQuoted = false
            while let byte = rest.first {
                if byte == UInt8(ascii: "\"") {
                    isQuoted.toggle()
                } else if !isQuoted, byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") {
                    break
                } else {
                    bytes.append(byte)
                }
                rest.removeFirst()
            }
            return isQuoted ? nil : String(validating: bytes, as: UTF8.self)
        }
    }
}

/// A component of iCalendar, such as an event, with the components in it.
struct CalendarComponent {
    /// In capitals.
    let name: String
    /// The line on which it begins.
    let line: Int
    private(set) var lines: [ContentLine] = []
    private(set) var components: [CalendarComponent] = []
    /// The problem of the first line that is no content line.
    private(set) var problem: RequestFile.Problem?

    /// How deep components may lie in one another; those in use lie three deep.
    private static let depthLimit = 8

    /// Reads the calendars of a file.
    ///
    /// A line that cannot be read is the problem of the event around it.
    ///
    /// - Throws: The problem, where components do not end as they begin.
    static func calendars(_ bytes: [UInt8]) throws(RequestFile.Problem) -> [CalendarComponent] {
        var open: [CalendarComponent] = []
        var calendars: [CalendarComponent] = []
        for (number, bytes) in unfolded(bytes) {
            let line: ContentLine
            do throws(RequestFile.Problem) {
                line = try ContentLine(bytes, number: number)
            } catch {
                guard open.count > 1 else { throw error }
                open[1].problem = open[1].problem ?? error
                continue
            }
            let value = line.value.uppercased()
            switch line.name {
            case "BEGIN":
                guard open.count < depthLimit else {
                    throw line.problem("components lie more than \(depthLimit) deep")
                }
                guard open.count > 0 || value == "VCALENDAR" else {
                    throw line.problem("a calendar begins with BEGIN:VCALENDAR")
                }
                open.append(CalendarComponent(name: value, line: number))
            case "END":
                guard let last = open.popLast(), last.name == value else {
                    throw line.problem("\(value.truncated(to: 32)) did not begin last")
                }
                if open.isEmpty {
                    calendars.append(last)
                } else {
                    open[open.count - 1].components.append(last)
                }
            default:
                guard !open.isEmpty else { throw line.problem("stands before BEGIN:VCALENDAR") }
                open[open.count - 1].lines.append(line)
            }
        }
        if let last = open.last {
            throw RequestFile.Problem(
                text: "line \(last.line): \(last.name.truncated(to: 32)) has no end"
            )
        }
        return calendars
    }

    /// Gives the property of a name; nil where there is none.
    ///
    /// - Throws: That it stands twice.
    func single(_ name: String) throws(RequestFile.Problem) -> ContentLine? {
        let found = lines.filter { $0.name == name }
        guard found.count < 2 else { throw found[1].problem("stands twice") }
        return found.first
    }

    /// Gives the property of a name.
    ///
    /// - Throws: That it is missing or stands twice.
    func required(_ name: String) throws(RequestFile.Problem) -> ContentLine {
        guard let found = try single(name) else {
            throw RequestFile.Problem(text: "line \(line): \(self.name) has no \(name)")
        }
        return found
    }

    /// Joins the lines that are folded, and drops those that are empty.
    private static func unfolded(_ bytes: [UInt8]) -> [(number: Int, bytes: ArraySlice<UInt8>)] {
        var lines: [(number: Int, bytes: ArraySlice<UInt8>)] = []
        let physical = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, physical) in physical.enumerated() {
            let line = physical.last == UInt8(ascii: "\r") ? physical.dropLast() : physical
            if line.first == 0x20 || line.first == 0x09, !lines.isEmpty {
                lines[lines.count - 1].bytes += line.dropFirst()
            } else if !line.isEmpty {
                lines.append((index + 1, line))
            }
        }
        return lines
    }
}
