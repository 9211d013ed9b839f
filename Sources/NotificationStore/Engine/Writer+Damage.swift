internal import BelfryLMDB
internal import Faults
internal import NotificationCore
internal import NotificationRecords

// A batch that meets a damaged row is made again without the work that met the row.

extension Writer {
    /// Sets the work aside that met a damaged row, so that its batch can be made again without it.
    ///
    /// Nothing of the batch is durable. Only rows and centers from before the batch are set aside:
    /// the rows that the batch itself made may differ when it is made again.
    ///
    /// - Returns: Whether the batch may be made again; if not, the store as a whole is damaged.
    func setAside(
        _ error: RowError,
        met attempt: Attempt,
        by commands: inout [QueuedCommand],
        _ later: inout [QueuedCommand],
        _ progress: inout Progress
    ) -> Bool {
        let row = DamagedRow(error)
        context.damage.tell(row)
        if Fault.damageEndsTheServer.isPlanted { return false }
        for command in attempt.round.begun { command.takeBack() }
        let center = attempt.batch.damage.work?.center.flatMap { number in
            number < progress.state.nextCenter ? number : nil
        }
        if let center { progress.setAside.add(center: center, for: row) }
        if let due = attempt.batch.damage.work?.row, isStored(due) {
            progress.setAside.add(due.key, in: due.table)
            return true
        }
        if center != nil && attempt.batch.damage.work?.row == nil { return true }
        guard let command = attempt.round.current else { return false }
        if let owner = command.owner, let number = number(of: owner) {
            progress.setAside.add(center: number, for: row)
        }
        if let place = commands.firstIndex(where: { $0 === command }) {
            later = commands[(place + 1)...] + later
            commands.removeSubrange(place...)
        }
        progress.waiting.remove([command])
        if let key = command.key {
            progress.openKeys.going.remove(key.bytes)
            progress.openKeys.waiting[key.bytes] = nil
        }
        command.fail(.rowDamaged(row))
        return true
    }

    private func isStored(_ row: SetAside.Row) -> Bool {
        let found = try? environment.reading { transaction throws(StoreFailure) in
            try transaction.contains(bytes: row.key, in: tables[row.table])
        }
        return found == true
    }

    private func number(of center: CenterName) -> CenterNumber? {
        let found = try? environment.reading { transaction throws(StoreFailure) in
            try transaction.rowIfAny(center, in: tables.centerNumbers)
        }
        return found ?? nil
    }
}
