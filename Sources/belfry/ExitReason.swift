internal import ArgumentParser
internal import BelfryGRPC
internal import NotificationClient

/// The program's exit status.
///
/// The numbers from 64 on are the numbers of `sysexits.h`.
enum ExitReason: Int32, CaseIterable {
    case done = 0
    case refused = 1
    case notFound = 3
    case taken = 4
    case usage = 64
    case badData = 65
    case unreachable = 69
    case cannotOpen = 73
    case failed = 74
    case tryLater = 75
    case notPermitted = 77

    init(_ error: ClientError) {
        switch error.code {
        case .ok: self = .done
        case .notFound: self = .notFound
        case .unavailable:
            let isForbidden = ConnectionFault(error) == .forbiddenSocket
            self = isForbidden ? .notPermitted : .unreachable
        case .deadlineExceeded: self = .tryLater
        case .permissionDenied, .unauthenticated: self = .notPermitted
        default: self = error.retryDelay == nil ? .refused : .tryLater
        }
    }

    /// The error that ends the program with this status, without a message.
    var code: ExitCode { ExitCode(rawValue) }

    /// One line for each status.
    static var help: String {
        let lines = allCases.map { status in
            let number = String(status.rawValue)
            return "  \(number)\(String(repeating: " ", count: 4 - number.count))\(status.meaning)"
        }
        return (["Exit status:"] + lines).joined(separator: "\n")
    }

    /// The meaning of the status, in a few words.
    private var meaning: String {
        switch self {
        case .done: "Done."
        case .refused: "The server refused, or the answer is no."
        case .notFound: "Nothing is there under that name, or no answer comes."
        case .taken: "Another program speaks for the app now."
        case .usage: "The command line is wrong."
        case .badData: "A file is not what it should be."
        case .unreachable: "No server answers."
        case .cannotOpen: "A data directory, a port or a socket cannot be opened."
        case .failed: "The store, or the output, failed."
        case .tryLater: "The server has too much to do, or nobody answered in time."
        case .notPermitted: "The server does not permit it."
        }
    }
}
