internal import Foundation
internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

// The changes of a center as its device moves (§7.4).

extension CenterModel {
    /// The person lets the app know the place of the device, or withdraws that.
    mutating func permit(_ isPermitted: Bool) {
        if isPermitted && !mayKnowPlace {
            // Nothing fires for what happened meanwhile.
            for identifier in pending.keys { pending[identifier]?.isInside = nil }
        }
        mayKnowPlace = isPermitted
    }

    /// Handles a fix, and gives how many requests fired: exits come before entries.
    ///
    /// The rules leave the rest of the order open. It is that of the adds for exits, and for
    /// entries that of the circles' sizes before that.
    mutating func move(to place: Coordinate) -> Int {
        guard mayKnowPlace else { return 0 }
        var crossed: [(pending: Pending, isEntry: Bool, radius: Double)] = []
        for (identifier, waiting) in pending {
            guard let region = waiting.request.trigger?.region,
                case .circle(let circle) = region.shape
            else { continue }
            let isInside = Self.meters(circle.center, place) <= circle.radiusMeters
            pending[identifier]?.isInside = isInside
            guard let before = waiting.isInside, before != isInside,
                isInside ? region.notifiesOnEntry : region.notifiesOnExit
            else { continue }
            crossed.append((waiting, isInside, isInside ? circle.radiusMeters : 0))
        }
        crossed.sort {
            ($0.isEntry ? 1 : 0, $0.radius, $0.pending.sequence)
                < ($1.isEntry ? 1 : 0, $1.radius, $1.pending.sequence)
        }
        for (waiting, _, _) in crossed { fire(waiting) }
        return crossed.count
    }

    /// The distance near the equator, where the ground is flat enough.
    private static func meters(_ one: Coordinate, _ other: Coordinate) -> Double {
        let degree = 6_371_008.8 * Double.pi / 180
        return degree
            * hypot(one.latitude - other.latitude, one.longitude - other.longitude)
    }
}
