package import NotificationCore

extension NotificationAction: Coded {
    package func write(to writer: inout ByteWriter) {
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
        localizedTitle.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
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
        localizedTitle = try reader.value()
    }
}
