internal import NotificationCore
internal import NotificationStore

extension AddReply {
    /// The reply as a model foretells it, which has no numbers of requests and events.
    var withoutNumbers: AddReply {
        var reply = self
        reply.number = 0
        reply.asOfEvent = 0
        return reply
    }
}
