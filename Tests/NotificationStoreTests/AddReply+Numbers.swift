internal import NotificationStore

extension AddReply {
    /// The reply as a model foretells it, which has no numbers of requests and events.
    var withoutNumbers: AddReply {
        AddReply(identifier: identifier, state: state, evicted: evicted)
    }
}
