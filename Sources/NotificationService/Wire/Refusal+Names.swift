internal import NotificationCore

extension Refusal {
    /// Gives this refusal with the wire's name of a field that the core calls otherwise.
    func named(_ core: String, as wire: String) -> Refusal {
        var refusal = self
        refusal.fields = fields.map { field in
            let parts = field.path.split(separator: ".").map { $0 == core ? wire : String($0) }
            return Field(parts.joined(separator: "."), field.problem)
        }
        if let field = fields.first, let renamed = refusal.fields.first,
            message.hasPrefix(field.path)
        {
            refusal.message = renamed.path + message.dropFirst(field.path.count)
        }
        return refusal
    }
}
