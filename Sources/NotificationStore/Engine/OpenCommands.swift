internal import BelfryLMDB
internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The commands in slices that an earlier run of the server began and did not end; no caller waits.
enum OpenCommands {
    /// Reads them, in the order in which they were begun.
    static func all(
        _ tables: Tables,
        in transaction: borrowing ReadTransaction
    ) throws(StoreFailure) -> [QueuedCommand] {
        let keys = try transaction.keys(bytesOf: tables.openCommands.raw)
        var commands: [QueuedCommand] = []
        for bytes in keys {
            // Skip rows that do not decode: the check of a store reports them.
            guard let key = try? StoreOrderKey(bytes),
                let row = try transaction.found(key, in: tables.openCommands).row,
                let command = command(row, key)
            else { continue }
            commands.append(command)
        }
        return commands
    }

    /// The command of a row; nil where the row says nothing that can be done.
    static func command(_ record: OpenCommandRecord, _ row: StoreOrderKey) -> QueuedCommand? {
        switch record.task {
        case .removePending(let center):
            return resumed(RemoveAllCommand(center: center, list: .pending), record, row)
        case .removeDelivered(let center):
            return resumed(RemoveAllCommand(center: center, list: .delivered), record, row)
        case .withdraw(let identifiers, let text, let app):
            guard let expression = try? TagExpression(text) else { return nil }
            let command = WithdrawByTagsCommand(
                app: app,
                expression: expression,
                identifiers: identifiers
            )
            return resumed(command, record, row)
        case .dismissGroup(let text, let device):
            guard let group = try? GroupName(text, on: device) else { return nil }
            return resumed(DismissCommand(target: .group(group)), record, row)
        case .dismissAll(let device):
            return resumed(DismissCommand(target: .all(device: device)), record, row)
        }
    }

    private static func resumed<C: Command>(
        _ command: C,
        _ record: OpenCommandRecord,
        _ row: StoreOrderKey
    ) -> QueuedCommand? {
        var command = command
        var reader = ByteReader(record.progress)
        guard Fault.progressNotResumed.isPlanted || (try? command.resume(&reader)) != nil else {
            return nil
        }
        guard let key = record.key else {
            return QueuedCommand(command, goingOnFrom: row) { _ in }
        }
        // Nobody waits for this run; a retry is told the reply.
        return QueuedCommand(OnceCommand(command, key: OnceKey(key)), goingOnFrom: row) { _ in }
    }
}
