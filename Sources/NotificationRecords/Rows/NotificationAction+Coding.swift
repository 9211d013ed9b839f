internal import NotificationCore

extension [NotificationAction] {
    /// Writes the buttons into a row.
    func write(to writer: inout ByteWriter) {
        writer.putVarint(UInt64(count))
        for action in self { action.write(to: &writer) }
    }

    init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init()
        for _ in 0..<(try reader.count()) { append(try NotificationAction(&reader)) }
    }
}

extension NotificationAction {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.put(identifier)
        writer.put(title)
        writer.put(options.rawValue)
        writer.put(icon) { writer, icon in
            switch icon {
            case .templateImage: writer.put(UInt8(1))
            case .systemImage: writer.put(UInt8(2))
            }
            writer.put(icon.name)
        }
        writer.put(textInput) { writer, input in
            writer.put(input.buttonTitle)
            writer.put(input.placeholder)
        }
        writer.put(localizedTitle) { $1.write(to: &$0) }
    }

    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(identifier: try reader.text(), title: try reader.text())
        options = ActionOptions(rawValue: try reader.number())
        icon = try reader.optional { reader throws(RowProblem) in
            switch try reader.number(UInt8.self) {
            case 1: .templateImage(try reader.text())
            case 2: .systemImage(try reader.text())
            default: throw .undecodable
            }
        }
        textInput = try reader.optional { reader throws(RowProblem) in
            ActionTextInput(buttonTitle: try reader.text(), placeholder: try reader.text())
        }
        localizedTitle = try reader.localizedText()
    }
}
