package import NotificationCore

extension TagPushContent: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(headers.type) { $0.put($1.rawValue) }
        writer.put(headers.topic)
        headers.expiration.write(to: &writer)
        writer.put(headers.priority) { $0.put($1) }
        writer.put(headers.collapseIdentifier)
        writer.put(headers.trace)
        writer.put(payload)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        var headers = PushHeaders()
        headers.type = try reader.optional { reader throws(RowProblem) in try reader.choice() }
        headers.topic = try reader.text()
        headers.expiration = try reader.value()
        headers.priority = try reader.value()
        headers.collapseIdentifier = try reader.text()
        headers.trace = try reader.trace()
        self.init(headers: headers, payload: try reader.text())
    }
}
