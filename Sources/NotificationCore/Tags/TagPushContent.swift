/// The fields and the payload of a push to many devices, kept until the push has ended.
package struct TagPushContent: Hashable, Sendable {
    package var headers: PushHeaders
    /// The payload, as the caller wrote it.
    package var payload: String

    package init(headers: PushHeaders, payload: String) {
        self.headers = headers
        self.payload = payload
    }
}
