/// Decides who may make which calls.
///
/// The methods run on polling threads, and must not block.
package protocol CallAuthorizer: Sendable {
    /// The authorizer of one method's calls; nil where every peer may call the method.
    ///
    /// It is asked once for each method, when a server is made.
    func authorizer(of path: String) -> (any MethodAuthorizer)?
    /// Takes note of a request that another protocol refused because of who made it, before it was
    /// a call: on any thread.
    ///
    /// `reason` is in capitals. `message` tells a person what is wrong. `path` is what the request
    /// was for, as the client wrote it.
    func refused(_ reason: String, _ message: String, at path: String, from peer: Peer)
}

/// Decides who may make the calls of one method.
///
/// The methods run on polling threads, and must wait for nothing but a small file of this machine.
package protocol MethodAuthorizer: Sendable {
    /// Decides about a call before its message is read.
    func admission(of caller: Caller) -> Admission
    /// Decides about a message of a call that was admitted to be checked.
    ///
    /// - Returns: The reason to refuse the call; nil to let the message through.
    func refusal(of message: RawSpan, from caller: Caller) -> Status?
    /// Takes note of an open stream of a caller that was admitted to be held or checked, so that it
    /// can be ended when the caller loses its right.
    ///
    /// - Returns: An object that the stream releases when it has ended.
    func opened(_ stream: ServerStream, of caller: Caller) -> (any Sendable & AnyObject)?
}

/// The decision of an authorizer about a call.
package enum Admission: Sendable {
    case admitted
    /// The call goes on, and the authorizer takes note of a stream.
    case held
    /// The call goes on, the authorizer takes note of a stream, and each message is checked.
    case checked
    case refused(Status)
}
