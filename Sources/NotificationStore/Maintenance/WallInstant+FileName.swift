internal import Glibc
internal import NotificationCore

extension WallInstant {
    /// The instant as part of a file's name: UTC to the second, as 20260101T000000Z.
    var fileName: String {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: .nanosecondsPerSecond)
        var time = time_t(rest < 0 ? seconds - 1 : seconds)
        var parts = unsafe tm()
        unsafe gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = unsafe strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
        return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
