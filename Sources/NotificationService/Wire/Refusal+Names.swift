internal import NotificationCore

extension Refusal {
    /// Gives this refusal with the wire's name of a field instead of the core's name.
    func named(_ core: String, as wire: String) -> Refusal {
        var refusal = self
        refusal.fields = fields.map { field in
            let parts = field.path.utf8.split(separator: UInt8(ascii: "."))
                .map { String(decoding: $0, as: UTF8.self) }
                .map { $0 == core ? wire : $0 }
            return Field(parts.joined(separator: "."), field.problem)
        }
        if let field = fields.first, let renamed = refusal.fields.first,
            message.utf8.starts(with: field.path.utf8)
        {
            let rest = message.utf8.dropFirst(field.path.utf8.count)
            refusal.message = renamed.path + String(decoding: rest, as: UTF8.self)
        }
        return refusal
    }
}
