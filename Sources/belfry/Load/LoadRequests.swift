internal import NotificationProtocol
internal import SwiftProtobuf

/// Makes the requests of a load, and finds out which request a notification is.
struct LoadRequests {
    let identifiers: LoadIdentifiers
    /// The seed of random identifiers.
    let seed: UInt64

    /// 256 bytes, as much as a long message has.
    private static let body = String(repeating: "Belfry rings. ", count: 19).prefix(256)

    /// Makes a version of a request, which is due after a time, or else in a year.
    func request(_ number: Int, version: UInt8, due: Duration?) -> Belfry_V1_NotificationRequest {
        var request = Belfry_V1_NotificationRequest()
        request.identifier = identifier(of: number)
        request.content.title = "\(number) \(version)"
        request.content.body = String(Self.body)
        // Spread the requests over a day, so that a due index has much to sort.
        let later = Duration.seconds(365 * 86_400 + Int(LoadRandom.mix(UInt64(number)) % 86_400))
        request.trigger.timeInterval.interval = Google_Protobuf_Duration(rounding: due ?? later)
        return request
    }

    func identifier(of number: Int) -> String {
        switch identifiers {
        case .sequential:
            let digits = String(number)
            return "load-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
        case .random:
            let digits = String(LoadRandom.mix(UInt64(number) ^ seed), radix: 16)
            return "load-" + String(repeating: "0", count: 16 - digits.count) + digits
        }
    }

    /// The number and the version of a request that the server sent; nil where a load made no such
    /// request.
    func number(
        of request: Belfry_V1_NotificationRequest
    ) -> (number: Int, version: UInt8)? {
        let words = request.content.title.split(separator: " ")
        guard words.count == 2, let number = Int(words[0]), let version = UInt8(words[1]),
            number >= 0, request.identifier == identifier(of: number),
            request.content.body == Self.body
        else { return nil }
        return (number, version)
    }
}
