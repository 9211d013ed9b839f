package import Logging
internal import NotificationProtocol
package import NotificationService
package import NotificationStore

extension EmbeddedServer.Observer {
    /// Makes an observer that logs damaged rows, conditions, and refused calls.
    ///
    /// `refusals` takes the refused calls, which it logs. `storeFailed` is called once, if the
    /// store fails for good.
    package init(
        logger: Logger,
        refusals: RefusalLog,
        storeFailed: @escaping @Sendable (StoreError) -> Void
    ) {
        self.init(storeFailed: storeFailed)
        callRefused = refusals.add
        rowIsDamaged = { row in
            guard !row.table.isEmpty else {
                return logger.error(
                    """
                    the store's file is damaged, and what cannot be read is refused: \
                    'belfry check' tells more, and 'belfry restore --replace' puts a backup in its \
                    place
                    """,
                    metadata: ["problem": "\(row.problem)"]
                )
            }
            logger.error(
                "a row is damaged and is left alone: 'belfry check --repair' sets it aside",
                metadata: [
                    "table": "\(row.table)", "key": "\(row.key)", "problem": "\(row.problem)",
                ]
            )
        }
        conditionChanged = { condition, isPresent in
            if isPresent {
                logger.warning("\(condition.name): \(condition.advice)")
            } else if condition == .clockNotSet {
                logger.notice("the clock is set")
            } else {
                logger.notice("\(condition.name) has ended")
            }
        }
    }
}
