package import NotificationCore

extension TagPushContent {
    package func write(to writer: inout ByteWriter) {
        writer.put(headers.type) { $0.put($1.rawValue) }
        writer.put(headers.topic)
        writer.put(headers.expiration) { $0.put($1.nanoseconds) }
        writer.put(headers.priority) { $0.put($1) }
        writer.put(headers.collapseIdentifier)
        writer.put(headers.trace)
        writer.put(payload)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        var headers = PushHeaders()
        headers.type = try reader.optional { reader throws(RowProblem) in try reader.choice() }
        headers.topic = try reader.text()
        headers.expiration = try reader.optional { reader throws(RowProblem) in
            WallInstant(nanoseconds: try reader.number())
        }
        headers.priority = try reader.optional { reader throws(RowProblem) in
            try reader.number()
        }
        headers.collapseIdentifier = try reader.text()
        headers.trace = try reader.trace()
        self.init(headers: headers, payload: try reader.text())
    }
}
