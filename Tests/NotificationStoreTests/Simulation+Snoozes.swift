internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

// The person snoozes notifications of the list.

extension Simulation {
    /// The person snoozes a notification, or a snoozed one for another time.
    mutating func snooze(_ index: Int) async throws {
        let model = members[index].model
        let snoozed = model.snoozed.keys.sorted(by: Self.byBytes).compactMap { model.snoozed[$0] }
        let all = model.delivered + snoozed.map(\.notification)
        guard let target = all.randomElement(using: &generator) else { return }
        // Choose the instant of something else now and then, but never of another snooze.
        var nanoseconds = Duration.seconds(Int.random(in: 1...15, using: &generator) * 20)
            .nanoseconds
        while snoozed.contains(where: { $0.until == model.elapsed + nanoseconds }) {
            nanoseconds += 1
        }
        let end: SnoozeEnd =
            Bool.random(using: &generator)
            ? .after(nanoseconds: nanoseconds)
            : .at(model.wall.advanced(byNanoseconds: nanoseconds))
        let identifier = target.request.identifier
        let reference = test.reference(identifier, target.delivery, of: members[index].name)
        let result = await test.result { $0.snooze(reference, until: end, completion: $1) }
        let until = members[index].model.snooze(identifier, until: model.elapsed + nanoseconds)
        try require("snoozed", result.map(\.until).mapError { Refused($0.reason) }, until)
    }
}
