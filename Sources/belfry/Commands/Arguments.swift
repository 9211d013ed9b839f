internal import ArgumentParser
internal import NotificationProtocol

/// A duration on the command line, as "5s" or "1h30m".
struct DurationArgument: ExpressibleByArgument, CustomStringConvertible {
    let duration: Duration

    init(_ duration: Duration) {
        self.duration = duration
    }

    init?(argument: String) {
        guard let duration = DurationText.parse(argument) else { return nil }
        self.duration = duration
    }

    /// The whole seconds of the duration.
    var seconds: Int64 { duration.components.seconds }

    var description: String { DurationText.format(duration) }
    var defaultValueDescription: String { description }
}

/// The interruption level of a notification, on the command line.
enum LevelArgument: String, ExpressibleByArgument, CaseIterable {
    case passive
    case active
    case timeSensitive = "time-sensitive"
    case critical

    var level: Belfry_V1_InterruptionLevel {
        switch self {
        case .passive: .passive
        case .active: .active
        case .timeSensitive: .timeSensitive
        case .critical: .critical
        }
    }
}

/// The options that filter a list of notifications.
struct FilterOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Only these identifiers.", valueName: "id"))
    var identifiers: [String] = []

    @Option(help: ArgumentHelp("Only this thread.", valueName: "id"))
    var thread: String?

    @Option(help: ArgumentHelp("Only this category.", valueName: "id"))
    var category: String?

    @OptionGroup
    var limit: ListLimitOption

    var filter: Belfry_V1_NotificationFilter {
        var filter = Belfry_V1_NotificationFilter()
        filter.identifiers = identifiers
        if let thread { filter.threadIdentifier = thread }
        if let category { filter.categoryIdentifier = category }
        return filter
    }
}
