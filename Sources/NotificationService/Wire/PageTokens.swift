internal import NotificationCore
internal import NotificationFeeds
internal import NotificationStore

/// The page tokens of one list: one rpc with one center, filter and order.
///
/// A token is an authentication code and a position of the store, as hexadecimal digits. The code
/// is made with a key that only the store has, so that a caller cannot invent a position. The code
/// covers the list too, so that the token of another list is refused.
struct PageTokens {
    private static let digits = Array("0123456789abcdef".utf8)
    /// The size of the longest position, in bytes: a position in a device's list names the apps
    /// with the newest deliveries.
    private static let positionBytes = 4_096
    /// The size of the longest token, in hexadecimal digits.
    static let textBytes = 2 * (PageTokenKey.codeByteCount + positionBytes)

    private let key: PageTokenKey
    private let list: ListName

    init(rpc: String, _ query: ListQuery, _ key: PageTokenKey) {
        self.key = key
        var list = ListName(rpc)
        list.add(query.center.app)
        list.add(query.center.device)
        list.add("\(query.order)")
        list.add(query.threadIdentifier)
        list.add(query.categoryIdentifier)
        for identifier in query.identifiers.sorted(by: <) {
            list.add(identifier)
        }
        self.list = list
    }

    init(rpc: String, _ query: ListQuery, _ window: UpcomingWindow, _ key: PageTokenKey) {
        self.init(
            rpc: "\(rpc) \(window.nanoseconds) \(window.datesPerRequest)",
            query,
            key
        )
    }

    /// The tokens of a list of `rpc` that covers a whole device.
    init(rpc: String, device: String, _ key: PageTokenKey) {
        self.key = key
        var list = ListName(rpc)
        list.add(device)
        self.list = list
    }

    /// The tokens of the list of `rpc` that covers an app, or the app on the devices of a tag
    /// expression.
    init(rpc: String, app: String, tags: String = "", _ key: PageTokenKey) {
        self.key = key
        var list = ListName(rpc)
        list.add(app)
        list.add(tags)
        self.list = list
    }

    /// The tokens of the list of `rpc` that covers a center.
    init(rpc: String, _ center: CenterName, unreadOnly: Bool, _ key: PageTokenKey) {
        self.key = key
        var list = ListName(rpc)
        list.add(center.app)
        list.add(center.device)
        list.add("\(unreadOnly)")
        self.list = list
    }

    init(rpc: String, _ query: HistoryQuery, _ key: PageTokenKey) {
        self.key = key
        var list = ListName(rpc)
        for text in [query.device, query.app, query.text, query.identifier] { list.add(text) }
        for instant in [query.since, query.before] { list.add(instant.map { "\($0.nanoseconds)" }) }
        self.list = list
    }

    /// The tokens of the list of `rpc` that covers the whole server.
    init(rpc: String, _ key: PageTokenKey) {
        self.key = key
        list = ListName(rpc)
    }

    init(rpc: String, _ query: DeviceListQuery, _ key: PageTokenKey) {
        self.key = key
        var list = ListName(rpc)
        list.add(query.device)
        for app in query.apps.sorted(by: <) { list.add(app) }
        self.list = list
    }

    /// Writes the token of a position; an empty text at the end of the list.
    func text(_ position: [UInt8]?) -> String {
        guard let position else { return "" }
        let bytes = key.code(of: list.bytes + position) + position
        let text = bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a token; nil for an empty token, which means the beginning of the list.
    func position(_ text: String) throws(Refusal) -> [UInt8]? {
        guard !text.isEmpty else { return nil }
        guard text.utf8.count <= Self.textBytes, let bytes = Self.bytes(of: text) else {
            throw Self.invalid
        }
        let code = Array(bytes.prefix(PageTokenKey.codeByteCount))
        let position = Array(bytes.dropFirst(PageTokenKey.codeByteCount))
        guard !position.isEmpty, key.isCode(code, of: list.bytes + position) else {
            throw Self.invalid
        }
        return position
    }

    /// The bytes of hexadecimal digits; nil when the text has other characters.
    private static func bytes(of text: String) -> [UInt8]? {
        let nibbles = text.utf8.compactMap { digits.firstIndex(of: $0).map(UInt8.init) }
        guard nibbles.count == text.utf8.count, nibbles.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: nibbles.count, by: 2).map {
            nibbles[$0] << 4 | nibbles[$0 + 1]
        }
    }

    private static let invalid = Refusal.invalid(
        "page_token",
        "is not a next_page_token of this list",
        reason: .pageTokenInvalid
    )
}

/// The name of the list of a token, as bytes.
private struct ListName {
    private(set) var bytes: [UInt8] = []

    init(_ rpc: String) { add(rpc) }

    /// Adds a text or the absence of a text.
    ///
    /// The length is added too, so that two texts differ from one longer text.
    mutating func add(_ text: String?) {
        guard let text else { return bytes.append(0) }
        bytes.append(1)
        let count = UInt32(clamping: text.utf8.count)
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
        bytes += text.utf8
    }
}
