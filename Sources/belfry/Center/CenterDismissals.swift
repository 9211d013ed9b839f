internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

/// The notifications that the person dismissed: they are out of sight at once, and the calls are
/// made when they cannot be taken back any more.
struct CenterDismissals {
    /// The notifications that one key dismissed.
    private struct Dismissal {
        var references: [Belfry_V1_NotificationRef]
        /// When the calls are made; nil until the first second after the key.
        var due: Date?
    }

    /// How long a dismissal can be taken back.
    static let undoTime: TimeInterval = 5

    private var waiting: [Dismissal] = []
    /// The notifications that are out of sight: of those that wait, and of calls that are made.
    private(set) var hidden: Set<Belfry_V1_NotificationRef> = []

    /// Whether any wait for their calls.
    var isWaiting: Bool { !waiting.isEmpty }

    /// How many notifications wait for their calls.
    var waitingCount: Int {
        waiting.reduce(0) { $0 + $1.references.count { hidden.contains($0) } }
    }

    /// Hides notifications, whose calls are made later.
    mutating func add(_ references: [Belfry_V1_NotificationRef]) {
        waiting.append(Dismissal(references: references))
        hidden.formUnion(references)
    }

    /// Shows the notifications of the last dismissal whose calls are not made yet; nil without one.
    mutating func takeBack() -> [Belfry_V1_NotificationRef]? {
        while let last = waiting.popLast() {
            // Pass over what left the list meanwhile.
            let references = last.references.filter { hidden.contains($0) }
            hidden.subtract(references)
            if !references.isEmpty { return references }
        }
        return nil
    }

    /// Takes the notifications that have waited long enough, whose calls are to be made.
    mutating func takeDue(at now: Date) -> [Belfry_V1_NotificationRef] {
        let due = waiting.filter { ($0.due ?? .distantFuture) <= now }
        waiting.removeAll { ($0.due ?? .distantFuture) <= now }
        return due.flatMap(\.references).filter { hidden.contains($0) }
    }

    /// Begins the time of those that have none yet.
    mutating func begin(at now: Date) {
        for place in waiting.indices where waiting[place].due == nil {
            waiting[place].due = now + Self.undoTime
        }
    }

    /// Hides notifications still whose calls found no server: they are made when one answers.
    mutating func keep(_ references: [Belfry_V1_NotificationRef]) {
        waiting.insert(Dismissal(references: references, due: .distantPast), at: 0)
    }

    /// Forgets notifications: their calls were refused, or they have left the list.
    mutating func forget(_ references: some Sequence<Belfry_V1_NotificationRef>) {
        hidden.subtract(references)
    }

    /// Forgets notifications that are not listed any more.
    mutating func keep(listed: Set<Belfry_V1_NotificationRef>) {
        hidden.formIntersection(listed)
    }
}
