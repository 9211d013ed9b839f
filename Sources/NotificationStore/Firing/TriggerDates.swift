package import NotificationCore

/// When a trigger would fire.
package struct TriggerDates: Hashable, Sendable {
    /// The first dates, and whether there are more.
    package var upcoming: UpcomingDates
    /// The zone of the trigger's local times; nil where it has none.
    package var timeZone: String?
}

extension Store {
    /// Tells when a request with this trigger would fire if it was added now; `completion` runs on
    /// a reader thread.
    ///
    /// `device` is the device whose zone counts where the trigger names none. `completion` is told
    /// the dates, or why the trigger would be refused; nil for a trigger that waits for a place.
    package func listDates(
        of trigger: Trigger,
        on device: String,
        atMost limit: Int,
        for caller: ReadCaller = ReadCaller(),
        completion: @escaping Completion<TriggerDates?>
    ) {
        lists.read(for: caller, completion) { [self] () throws(Refusal) in
            guard trigger.region == nil else { return nil }
            let state = try damage.orRefuse { try reader.device(device) }
            let now = clock.now()
            let zone = trigger.timeZone.map { context.zones.name($0, on: state) }
            let first = try trigger.firstFire(at: now, zone, context.zones)
            let upcoming = UpcomingDates(
                of: first.trigger,
                from: first.due,
                base: now.elapsed,
                until: WallInstant(nanoseconds: .max),
                atMost: limit,
                now: now,
                in: first.rules
            )
            return TriggerDates(upcoming: upcoming, timeZone: zone)
        }
    }
}
