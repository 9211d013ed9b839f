package import NotificationCore

/// An attachment of a notification, as the request's record keeps it.
extension NotificationAttachment: Coded {
    package func write(to writer: inout ByteWriter) {
        for text in [identifier, file, type] { writer.put(text) }
        writer.put(isThumbnailHidden)
        writer.put(clippingRect) { writer, rect in
            for value in [rect.x, rect.y, rect.width, rect.height] { writer.put(value) }
        }
        writer.put(thumbnailTime) { writer, time in
            switch time {
            case .offset(let nanoseconds):
                writer.put(UInt8(1))
                writer.put(nanoseconds)
            case .frame(let frame):
                writer.put(UInt8(2))
                writer.put(frame)
            }
        }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        self.init(identifier: try reader.text(), file: try reader.text())
        type = try reader.text()
        isThumbnailHidden = try reader.bool()
        clippingRect = try reader.optional { reader throws(RowProblem) in
            UnitRect(
                x: try reader.double(),
                y: try reader.double(),
                width: try reader.double(),
                height: try reader.double()
            )
        }
        thumbnailTime = try reader.optional { reader throws(RowProblem) in
            switch try reader.number(UInt8.self) {
            case 1: .offset(nanoseconds: try reader.number())
            case 2: .frame(try reader.number())
            default: throw .undecodable
            }
        }
    }
}
