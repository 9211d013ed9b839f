/// What a push to many devices says, as it is kept until the push has ended.
package struct TagPushContent: Hashable, Sendable {
    /// What the push says beside its payload.
    package var headers: PushHeaders
    /// The payload, as the caller wrote it.
    package var payload: String

    /// What a push says.
    package init(headers: PushHeaders, payload: String) {
        self.headers = headers
        self.payload = payload
    }
}
