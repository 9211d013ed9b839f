internal import LMDB
internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

extension TestStore {
    /// The open callbacks of a center, in the order of their numbers.
    func openCallbacks(of center: CenterName) throws -> [Callback] {
        try store.reader.callbacks(
            of: try store.number(of: center),
            after: 0,
            upTo: .max,
            asOf: store.clock.now()
        ).callbacks
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
