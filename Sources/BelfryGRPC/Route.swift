/// One registered method.
final class Route: Sendable {
    enum Handler: Sendable {
        case unary(Router.UnaryHandler)
        case serverStream(Router.ServerStreamHandler)
        case messageStream(Router.MessageStreamHandler)
    }

    let path: String
    /// The role that the authorizer checks; nil for a method that every caller may call.
    let role: Int?
    let handler: Handler

    init(path: String, role: Int?, handler: Handler) {
        self.path = path
        self.role = role
        self.handler = handler
    }
}
