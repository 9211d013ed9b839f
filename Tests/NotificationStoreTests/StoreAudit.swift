internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

extension TestStore {
    /// The open callbacks of a center, in the order of their numbers.
    func openCallbacks(of center: CenterName) throws -> [Callback] {
        var callbacks: [Callback] = []
        var last: CallbackNumber = 0
        // A message at a time, as a subscription does.
        while true {
            let found = try store.reader.callbacks(
                of: try store.number(of: center),
                after: last,
                upTo: .max,
                asOf: store.clock.now()
            )
            guard !found.callbacks.isEmpty else { return callbacks }
            callbacks += found.callbacks
            last = found.upTo
            guard last < .max else { return callbacks }
        }
    }
}

/// Holds a closed store against the rules that `belfry check` has.
enum StoreAudit {
    /// The problems of the store at `directory`, none of which should be.
    static func problems(in directory: String) throws -> [String] {
        var problems: [String] = []
        let report = try StoreCheck.check(
            directory: directory,
            onProblem: { problems.append($0.description) }
        )
        return problems.count == report.problemCount ? problems : problems + ["miscounted"]
    }
}
