internal import NIOCore
internal import NIOHTTP1

/// Gives a request for a whole URL the form of one for a path, with the URL's host among its
/// hosts: the library drops it, and so a request for another host would look like one for this.
final class TargetForm: ChannelInboundHandler, Sendable {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private static let schemes = ["http://", "https://"]

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else {
            return context.fireChannelRead(data)
        }
        Self.change(&head)
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    private static func change(_ head: inout HTTPRequestHead) {
        let target = head.uri.utf8
        guard target.first != UInt8(ascii: "/"), head.uri != "*" else { return }
        guard let scheme = schemes.first(where: { head.uri.lowercased().hasPrefix($0) }) else {
            // Leave no path, which is refused: the library would find one in any URL.
            head.uri = ""
            return
        }
        let rest = target.dropFirst(scheme.utf8.count)
        let ends = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
        let host = rest.prefix { !ends.contains($0) }
        let path = String(Substring(rest[host.endIndex...]))
        head.uri = path.hasPrefix("/") ? path : "/" + path
        // Add a host that differs, since two hosts are refused.
        let name = String(Substring(host))
        if head.headers["host"].map({ $0.lowercased() }) != [name.lowercased()] {
            head.headers.add(name: "Host", value: name)
        }
    }
}
