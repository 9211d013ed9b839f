internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("What batches leave in memory for the next one")
struct BatchCacheTests {
    private static let now = Now(elapsed: ElapsedInstant(nanoseconds: 0), wall: .newYear)

    private func row(_ delivery: DeliveryNumber) -> DeliveredRecord {
        DeliveredRecord(
            sequence: RequestNumber(rawValue: delivery.rawValue),
            identifier: "\(delivery)",
            at: Self.now,
            event: 1
        )
    }

    private func identifier(_ name: String) -> IdentifierWork {
        IdentifierWork(name, IdentifierRecord(), stored: [], at: Array(name.utf8))
    }

    /// Reads on, as the list does.
    private func readOn(_ deliveries: inout OldestDeliveries, _ list: [DeliveryNumber]) {
        let rest = list.filter { delivery in deliveries.end.map { delivery > $0 } ?? true }
        deliveries.append(
            rest.prefix(deliveries.nextCount).map { (DeliveryKey($0, of: 1), row($0)) }
        )
    }

    @Test("The oldest deliveries are those of a plain list, as far as they were read")
    func oldest() throws {
        var generator = SeededGenerator()
        for _ in 0..<200 {
            var list = (1...UInt64.random(in: 1...1_100, using: &generator)).map {
                DeliveryNumber(rawValue: $0)
            }
            var last = try #require(list.last)
            var deliveries = OldestDeliveries()
            for _ in 0..<200 {
                switch Int.random(in: 0..<8, using: &generator) {
                case 0, 1:
                    last = last.next
                    list.append(last)
                    deliveries.note(last, row(last), of: identifier("\(last)"))
                case 2, 3: if !list.isEmpty { deliveries.remove(list.removeFirst()) }
                case 4:
                    guard let place = list.indices.randomElement(using: &generator) else { break }
                    deliveries.remove(list.remove(at: place))
                case 5: if !deliveries.isWhole { readOn(&deliveries, list) }
                default:
                    let delivery = DeliveryNumber(
                        rawValue: UInt64.random(in: 0...last.rawValue + 1, using: &generator)
                    )
                    if let known = deliveries.contains(delivery) {
                        #expect(known == list.contains(delivery), "seed \(generator.seed)")
                    }
                }
                let isLeftOut = { (delivery: DeliveryNumber) in delivery.rawValue % 3 == 0 }
                let known = deliveries.first(except: isLeftOut)?.delivery
                let expected = list.first { !isLeftOut($0) }
                if known != nil || deliveries.isWhole {
                    #expect(known == expected, "seed \(generator.seed)")
                }
                if deliveries.isWhole { #expect(deliveries.count == list.count) }
                #expect(deliveries.count <= 1_200)
            }
        }
    }

    @Test("An identifier with a delivery stays, and is the same one; others go where they are many")
    func identifiers() throws {
        var table = IdentifierTable()
        var reads = 0
        func find(_ name: String) throws -> IdentifierWork {
            try table.identifier(name) {
                reads += 1
                return identifier(name)
            }
        }
        let delivered = try (0..<100).map { number in try find("delivered \(number)") }
        for (number, identifier) in delivered.enumerated() {
            identifier.record.delivered = DeliveryNumber(rawValue: UInt64(number + 1))
        }
        #expect(table.touched.count == 100)
        table.endBatch(keeping: 100)
        #expect(table.touched.isEmpty)
        for batch in 0..<20 {
            for number in 0..<50 { _ = try find("pending \(batch) \(number)") }
            #expect(table.touched.count == 50)
            table.endBatch(keeping: 100)
            #expect(table.count <= 2 * 100 + 256)
        }
        #expect(reads == 100 + 20 * 50)
        for (number, identifier) in delivered.enumerated() {
            #expect(try find("delivered \(number)") === identifier)
        }
        #expect(reads == 100 + 20 * 50)
        #expect(table.touched.count == 100)
        table.touch(delivered[0])
        #expect(table.touched.count == 100)
        table.endBatch(keeping: 0)
        #expect(table.count == 0)
        #expect(try find("delivered 0") !== delivered[0])
    }

    @Test("Centers beyond the limits are forgotten, those of the last batch after all others")
    func limits() throws {
        var limits = StoreLimits()
        (limits.cachedCenters, limits.cachedEntries) = (4, 100)
        var cache = BatchCache()
        func keep(_ numbers: ClosedRange<UInt32>, entries: Int = 0) throws {
            for number in numbers {
                var center = CachedCenter(
                    CenterState(name: try CenterName(app: "org.example.a\(number)", device: ""))
                )
                for entry in 0..<entries {
                    _ = try center.identifiers.identifier("\(entry)") { identifier("\(entry)") }
                }
                cache.insert(center, as: CenterNumber(rawValue: number))
            }
            cache.fit(limits, newest: numbers.map { CenterNumber(rawValue: $0) })
        }
        func known() -> Set<UInt32> {
            var cache = cache
            return Set((1...20).filter { cache.take(CenterNumber(rawValue: $0)) != nil })
        }
        try keep(1...3)
        #expect(known() == [1, 2, 3])
        try keep(4...5)
        #expect(known() == [4, 5])
        try keep(6...12)
        #expect(known().count == 4)
        #expect(known().isSubset(of: Set(6...12)))
        try keep(1...1, entries: 60)
        #expect(known() == [1])
        try keep(2...2, entries: 60)
        #expect(known() == [2])
        try keep(3...3, entries: 101)
        #expect(known() == [])
        // A center that was taken is counted no longer.
        try keep(4...4, entries: 60)
        #expect(cache.take(4) != nil)
        try keep(5...5, entries: 60)
        try keep(6...6, entries: 40)
        #expect(known() == [5, 6])
    }
}
