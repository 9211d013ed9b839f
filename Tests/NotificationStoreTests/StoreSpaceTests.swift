internal import Testing

@testable internal import NotificationStore

@Suite("When a store counts as full (ST-2)")
struct StoreSpaceTests {
    /// A disk, a map and what is in use, in bytes.
    struct Case: CustomTestStringConvertible {
        var name: String
        var disk: Int? = 10_000
        var map = 1_000_000
        var store: Int?
        var used = 0
        var freePages = 0
        var freeDisk = 10_000
        var hasRoom: Bool
        /// Whether due work has space where adds have none.
        var hasDueRoom = true

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "empty", hasRoom: true),
        Case(name: "80 % of the disk", used: 8_000, hasRoom: true),
        Case(name: "more than 80 % of the disk", used: 8_001, hasRoom: false),
        Case(
            name: "more, with free pages in it",
            used: 8_101,
            freePages: 101,
            hasRoom: true
        ),
        Case(name: "at its own limit", store: 500, used: 500, hasRoom: true),
        Case(name: "beyond its own limit", store: 500, used: 501, hasRoom: false),
        Case(name: "its own limit above 80 %", store: 9_999, used: 9_000, hasRoom: true),
        Case(name: "the largest limit", map: 1_600, store: .max, used: 1_400, hasRoom: true),
        Case(name: "the map but its reserve", map: 1_600, used: 1_400, hasRoom: true),
        Case(
            name: "the reserve of the map",
            map: 1_600,
            store: 9_000,
            used: 1_401,
            hasRoom: false
        ),
        Case(name: "the disk but its reserve", freeDisk: 1_000, hasRoom: true),
        Case(name: "the reserve of the disk", freeDisk: 999, hasRoom: false),
        Case(
            name: "the reserve of the disk, with free pages",
            freePages: 1,
            freeDisk: 999,
            hasRoom: true
        ),
        Case(
            name: "a small disk keeps an eighth",
            disk: 80,
            freeDisk: 10,
            hasRoom: true
        ),
        Case(name: "an eighth of it", disk: 80, freeDisk: 9, hasRoom: false),
        Case(name: "a disk that tells nothing", disk: nil, freeDisk: 0, hasRoom: true),
        Case(
            name: "the map on such a disk",
            disk: nil,
            map: 8_000,
            used: 7_001,
            freeDisk: 0,
            hasRoom: false
        ),
        Case(
            name: "half of the reserve beyond its own limit",
            store: 4_000,
            used: 4_250,
            hasRoom: false
        ),
        Case(
            name: "more than half of it",
            store: 4_000,
            used: 4_251,
            hasRoom: false,
            hasDueRoom: false
        ),
        Case(
            name: "more than half of it, with free pages",
            store: 4_000,
            used: 4_251,
            freePages: 1,
            hasRoom: false
        ),
        Case(name: "half of the reserve of the disk", freeDisk: 500, hasRoom: false),
        Case(
            name: "less than half of it",
            freeDisk: 499,
            hasRoom: false,
            hasDueRoom: false
        ),
        Case(
            name: "less than half of the reserve of the map",
            disk: nil,
            map: 8_000,
            used: 7_501,
            hasRoom: false,
            hasDueRoom: false
        ),
    ]

    @Test("Adds are refused beyond the limit, and where the reserve begins", arguments: cases)
    func room(_ test: Case) throws {
        var limits = StoreLimits()
        limits.reservedBytes = 1_000
        limits.storeBytes = test.store
        let space = StoreSpace(diskBytes: test.disk, mapBytes: test.map, limits: limits)
        let room = try space.room(
            usedBytes: test.used,
            freeDiskBytes: test.freeDisk,
            freePageBytes: { test.freePages }
        )
        #expect(room.takesAdds == test.hasRoom)
        #expect((room >= .dueWork) == test.hasDueRoom)
    }

    @Test(
        "With less than a sixteenth left, what can be deleted is deleted at once",
        arguments: [
            (9_375, 0, 10_000, .adds), (9_376, 0, 10_000, .lastAdds),
            (9_385, 10, 10_000, .adds), (9_386, 10, 10_000, .lastAdds),
            (10_010, 10, 10_000, .lastAdds), (10_011, 10, 10_000, .dueWork),
            (0, 0, 1_062, .adds), (0, 0, 1_061, .lastAdds), (0, 1, 1_061, .adds),
        ] as [(used: Int, freePages: Int, freeDisk: Int, room: StoreSpace.Room)]
    )
    func lastAdds(used: Int, freePages: Int, freeDisk: Int, room: StoreSpace.Room) throws {
        var limits = StoreLimits()
        limits.reservedBytes = 1_000
        limits.storeBytes = 10_000
        let space = StoreSpace(diskBytes: 20_000, mapBytes: 1_000_000, limits: limits)
        let found = try space.room(
            usedBytes: used,
            freeDiskBytes: freeDisk,
            freePageBytes: { freePages }
        )
        #expect(found == room)
    }

    @Test("Of a large limit 4 MiB are as good as a sixteenth")
    func lastAddsOfMany() throws {
        var limits = StoreLimits()
        limits.storeBytes = 1 << 40
        let space = StoreSpace(diskBytes: 1 << 42, mapBytes: 1 << 42, limits: limits)
        let most = (1 << 40) - (4 << 20)
        let rooms = try [most, most + 1].map {
            try space.room(usedBytes: $0, freeDiskBytes: .max, freePageBytes: { 0 })
        }
        #expect(rooms == [.adds, .lastAdds])
    }

    @Test("The disk is asked once a second, and for each batch where it has little space")
    func freeDiskSpace() {
        var disk = FreeDiskSpace()
        var asked = 0
        func ask(_ bytes: Int, at milliseconds: Int64) -> Int {
            disk.byteCount(beside: 100, at: milliseconds * 1_000_000) {
                asked += 1
                return bytes
            }
        }
        #expect(ask(1_000, at: 10_000) == 1_000)
        #expect(ask(499, at: 10_999) == 1_000)
        #expect(asked == 1)
        #expect(ask(800, at: 11_000) == 800)
        #expect(ask(99, at: 11_000) == 99)
        #expect(ask(1_000, at: 11_001) == 1_000)
        #expect(ask(0, at: 12_000) == 1_000)
        #expect(asked == 4)
    }
}
