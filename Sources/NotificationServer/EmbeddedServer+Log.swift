package import Logging
package import NotificationService
package import NotificationStore

extension EmbeddedServer.Observer {
    /// Makes an observer that logs damaged rows, the state of the clock, and refused calls.
    ///
    /// - Parameters:
    ///   - logger: The log.
    ///   - refusals: Takes the refused calls, which it logs.
    ///   - storeFailed: Called once, if the store fails for good.
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
        clockChanged = { isSet in
            if isSet {
                logger.notice("the clock is set")
            } else {
                logger.warning("CLOCK_NOT_SET: no date fires until the machine's clock is set")
            }
        }
    }
}
