package import NotificationCore

extension FieldPath {
    /// The path in the core's words for tables of tests, such as `content.attachments[1].fileName`.
    package var text: String {
        var text = ""
        for step in steps {
            switch step {
            case .field(let field): text += (text.isEmpty ? "" : ".") + field.rawValue
            case .written(let path): text += (text.isEmpty ? "" : ".") + path
            case .index(let index): text += "[\(index)]"
            case .key(let key): text += "[\(key)]"
            }
        }
        return text
    }
}
