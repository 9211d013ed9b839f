internal import NotificationCore
internal import TestSupport

@testable internal import NotificationRecords
@testable internal import NotificationStore

extension CheckTests {
    private static let firstRow = ReleasedKey(of: 1).bytes

    private static func released(_ requests: RequestNumber...) -> [UInt8] {
        var row = ReleasedRow()
        for request in requests { row.insert(request) }
        return row.bytes
    }

    static let releasedDamages = [
        Damage(
            "a row of released requests of garbage",
            ["released requests 0 to 63: does not decode"]
        ) { file in try file.put([7], forKey: firstRow, in: .released) },
        Damage("a key of released requests that is too short", ["released 0x01: does not decode"]) {
            file in
            try file.put(released(1), forKey: [1], in: .released)
        },
        Damage(
            "a pending request that is released",
            ["released requests 0 to 63: releases request 1, which is referred to"]
        ) { file in try file.put(released(1), forKey: firstRow, in: .released) },
        Damage(
            "a delivered request and one that is not there, which are released",
            [
                "released requests 0 to 63: releases request 2, which is referred to",
                "released requests 0 to 63: releases request 9, which is gone",
            ]
        ) { file in try file.put(released(2, 9), forKey: firstRow, in: .released) },
    ]
}
