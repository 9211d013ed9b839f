internal import NotificationStore

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
