package import NotificationCore

extension ByteWriter {
    /// Writes whether there is a trace context, then the trace context.
    package mutating func put(_ trace: TraceContext?) {
        put(trace) { writer, trace in
            writer.put(trace.trace)
            writer.put(trace.span)
            writer.put(trace.flags)
            writer.put(trace.state)
        }
    }
}

extension ByteReader {
    /// Reads a trace context, or nil where none was written.
    package mutating func trace() throws(RowProblem) -> TraceContext? {
        try optional { reader throws(RowProblem) in
            let trace = TraceContext(
                trace: try reader.number(),
                span: try reader.number(),
                flags: try reader.number(),
                state: try reader.text()
            )
            guard let trace else { throw .undecodable }
            return trace
        }
    }
}
