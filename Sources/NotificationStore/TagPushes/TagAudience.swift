internal import BelfryLMDB
internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The registered devices of an app that match a tag expression, in the order of their names.
///
/// The devices are looked up by the rarest tag that all of them need, so that a push to few reads
/// few registrations (AZ-9).
struct TagAudience {
    /// A device that was looked at.
    struct Member {
        var center: CenterName
        var registration: RegistrationRecord
    }

    struct Slice {
        var members: [Member] = []
        /// The device with which the slice ended.
        var position: String
        /// How many devices were looked at.
        var lookedAt = 0
        /// Whether no device is behind the last one.
        var isEnd = false
    }

    /// Up to how many devices a tag's devices are counted: enough to tell rare from common.
    private static let countedDevices = 1_024

    let app: String
    let expression: TagExpression
    /// The tag or device that every member has; nil where any device may be one.
    let anchor: [TagExpression.Step]?

    /// The audience with an anchor that was found before.
    init(_ expression: TagExpression, of app: String, anchor: [TagExpression.Step]?) {
        self.app = app
        self.expression = expression
        self.anchor = anchor
    }

    /// The audience of an expression as the store is now.
    init(
        _ expression: TagExpression,
        of app: String,
        _ tables: Tables,
        in transaction: borrowing some BelfryLMDB.Transaction & ~Copyable
    ) throws(StoreFailure) {
        self.app = app
        self.expression = expression
        var costs: [TagExpression.Step: Int] = [:]
        for case .tag(let tag) in expression.steps where costs[.tag(tag)] == nil {
            costs[.tag(tag)] = try transaction.keys(
                bytesOf: tables.tags.raw,
                KeyPrefix.tag(tag, of: app).bytes,
                atMost: Self.countedDevices
            ).count
        }
        switch expression.anchor(cost: { step in costs[step] ?? 1 }) {
        case .none: anchor = nil
        case .anyOf(let steps): anchor = steps
        }
    }

    /// Looks at the next devices behind one.
    ///
    /// `position` is the device behind which to look; empty is the first. `limit` is how many
    /// devices to look at, at least 1.
    ///
    /// - Returns: Those for which the expression is right.
    /// - Complexity: O(`limit` × tags of the anchor), whatever the number of registrations.
    func next(
        after position: String,
        atMost limit: Int,
        _ tables: Tables,
        in transaction: borrowing some BelfryLMDB.Transaction & ~Copyable
    ) throws(StoreFailure) -> Slice {
        var slice = Slice(position: position)
        for member in try candidates(after: position, atMost: limit, tables, in: transaction) {
            slice.lookedAt += 1
            slice.position = member.center.device
            let tags = member.registration.tags
            guard expression.matches(device: member.center.device, tags: tags) else { continue }
            slice.members.append(member)
        }
        slice.isEnd = slice.lookedAt < limit || Fault.pushToManyEndsEarly.isPlanted
        return slice
    }

    private func candidates(
        after position: String,
        atMost limit: Int,
        _ tables: Tables,
        in transaction: borrowing some BelfryLMDB.Transaction & ~Copyable
    ) throws(StoreFailure) -> [Member] {
        guard let anchor else {
            let place = position.isEmpty ? nil : RegistrationKey(try center(position))
            return try transaction.rows(
                in: tables.registrations,
                .app(app),
                after: place,
                atMost: limit
            ).map { Member(center: $0.key.center, registration: $0.row) }
        }
        var devices: [String] = []
        for step in anchor {
            switch step {
            case .tag(let tag):
                let place = position.isEmpty ? nil : TagKey(tag, of: try center(position))
                devices += try transaction.keys(
                    in: tables.tags,
                    .tag(tag, of: app),
                    after: place,
                    atMost: limit
                ).map(\.device)
            case .device(let device) where position < device:
                let key = RegistrationKey(try center(device))
                if try transaction.contains(key, in: tables.registrations) {
                    devices.append(device)
                }
            default: break
            }
        }
        // Sort the devices of all steps: the first ones of the whole are among the first of each
        // step.
        devices.sort()
        var members: [Member] = []
        for device in devices where members.last?.center.device != device {
            guard members.count < limit else { break }
            let key = RegistrationKey(try center(device))
            let registration = try transaction.row(key, in: tables.registrations)
            members.append(Member(center: key.center, registration: registration))
        }
        return members
    }

    private func center(_ device: String) throws(StoreFailure) -> CenterName {
        do throws(Refusal) {
            return try CenterName(app: app, device: device)
        } catch {
            throw .row(RowError(.undecodable))
        }
    }
}
