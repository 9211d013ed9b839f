/// The client at the other end of a call.
package struct Peer: Sendable, Equatable {
    package enum Transport: Sendable, Equatable {
        /// Over a unix socket of the server.
        case unix
        case tcp
    }

    package let transport: Transport
    /// The user of the peer's process, over a unix socket; nil over TCP.
    ///
    /// The kernel tells it, as of the moment when the peer connected.
    package let uid: UInt32?
    /// The address, such as `ipv4:127.0.0.1:51234` or `unix:uid/1000`.
    ///
    /// The address is not authenticated.
    package let address: String

    /// Makes a peer of an address such as `ipv4:127.0.0.1:51234`.
    package init(address: String) {
        self.address = address
        uid = unsafe Self.user(of: address.utf8.span.bytes)
        transport = unsafe Self.transport(of: address.utf8.span.bytes)
    }

    /// How a peer with a name such as `unix:uid/1000` is connected.
    static func transport(of name: RawSpan) -> Transport {
        // Take a name of another form for one of a unix socket whose user is unknown: the names of
        // TCP's peers begin with "ipv4:" and "ipv6:".
        guard name.byteCount > 0 else { return .unix }
        let first = unsafe name.unsafeLoad(as: UInt8.self)
        return first == UInt8(ascii: "i") ? .tcp : .unix
    }

    /// The user in a name such as `unix:uid/1000`, which the shim gives the peers of unix sockets;
    /// nil in any other name.
    static func user(of name: RawSpan) -> UInt32? {
        let prefix: StaticString = "unix:uid/"
        let digits = name.byteCount - prefix.utf8CodeUnitCount
        guard (1...10).contains(digits) else { return nil }
        var user: UInt64 = 0
        for offset in name.byteOffsets {
            let byte = unsafe name.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            if offset < prefix.utf8CodeUnitCount {
                let expected = unsafe prefix.utf8Start[offset]
                guard byte == expected else { return nil }
            } else {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                user = user * 10 + UInt64(byte - UInt8(ascii: "0"))
            }
        }
        return UInt32(exactly: user)
    }
}
