internal import TestSupport
internal import Testing

@testable internal import NotificationRecords

/// The map of changes against a sorted array, with keys that are each other's beginnings and more
/// keys than several nodes hold.
@Suite("Changes in memory")
struct ChangeMapTests {
    /// The contents that a map has to hold.
    private struct Model {
        var changes: [[UInt8]: (change: Change, isNew: Bool)] = [:]

        mutating func set(_ key: [UInt8], _ change: Change, isNew: Bool) {
            let before = changes[key]
            let isGone = before?.isNew == true && change == .deletion
            changes[key] = isGone ? nil : (change, before?.isNew ?? isNew)
        }

        mutating func take(_ model: Model) {
            for (key, newer) in model.changes { set(key, newer.change, isNew: newer.isNew) }
        }

        func kind(of key: [UInt8]) -> ChangeKind? {
            guard let change = changes[key]?.change else { return nil }
            return change.row.map { .put(byteCount: $0.count) } ?? .deletion
        }

        var byteCount: Int {
            changes.reduce(0) { $0 + $1.key.count + ($1.value.change.row?.count ?? 0) }
        }
    }

    @Test("A map does what a dictionary does, and its copies stay as they are")
    func model() {
        var generator = SeededGenerator()
        for _ in 0..<20 {
            var map = ChangeMap()
            var model = Model()
            var copies: [(map: ChangeMap, model: Model)] = []
            for step in 0..<2_000 {
                switch Int.random(in: 0..<20, using: &generator) {
                case 0..<18: Self.change(&map, &model, &generator, step)
                case 18:
                    let key = Self.key(&generator, step)
                    #expect(map.change(at: ChangeKey(key)) == model.changes[key]?.change)
                    #expect(map.kind(of: ChangeKey(key)) == model.kind(of: key))
                default:
                    var (open, openModel) = (ChangeMap(), Model())
                    for step in 0..<Int.random(in: 0..<200, using: &generator) {
                        Self.change(&open, &openModel, &generator, step)
                    }
                    map.take(open)
                    model.take(openModel)
                    #expect(open.byteCount == openModel.byteCount)
                }
                #expect(map.count == model.changes.count)
                if Int.random(in: 0..<300, using: &generator) == 0 { copies.append((map, model)) }
            }
            copies.append((map, model))
            for copy in copies { compare(copy.map, copy.model, &generator) }
        }
    }

    /// Writes or deletes a row, mostly one that there is.
    private static func change(
        _ map: inout ChangeMap,
        _ model: inout Model,
        _ generator: inout SeededGenerator,
        _ step: Int
    ) {
        let isKnown = Bool.random(using: &generator)
        let known = isKnown ? model.changes.randomElement(using: &generator) : nil
        let key = known?.key ?? key(&generator, step)
        let change = known == nil ? change(&generator) : .deletion
        let isNew = change != .deletion && Bool.random(using: &generator)
        let wasDeleted = map.set(ChangeKey(key), change, isNew: isNew)
        #expect(wasDeleted == (model.kind(of: key) == .deletion))
        model.set(key, change, isNew: isNew)
    }

    @Test("Keys in order fill their nodes, and all of them can be removed again")
    func inOrder() {
        var map = ChangeMap()
        let keys = (0..<UInt16(5_000)).map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for key in keys { map.set(ChangeKey(key), .put(key), isNew: true) }
        #expect(map.count == keys.count)
        var leafCount = 0
        map.root?.forEachLeaf { _ in leafCount += 1 }
        #expect(leafCount == (keys.count + 31) / 32)
        for key in keys {
            #expect(ChangeCursor(map, atOrAfter: ChangeKey([])).key == key)
            map.set(ChangeKey(key), .deletion)
        }
        #expect(map.isEmpty)
        #expect(ChangeCursor(map, atOrAfter: ChangeKey([])).key == nil)
        #expect(ChangeCursor(map, before: ChangeKey([0xFF])).key == nil)
    }

    private func compare(_ map: ChangeMap, _ model: Model, _ generator: inout SeededGenerator) {
        #expect(map.byteCount == model.byteCount)
        let keys = model.changes.keys.sorted { $0.lexicographicallyPrecedes($1) }
        for start in [[], keys.randomElement(using: &generator) ?? [], Self.key(&generator, 0)] {
            var found: [[UInt8]] = []
            var isEqual = true
            var cursor = ChangeCursor(map, atOrAfter: ChangeKey(start))
            while let key = cursor.key {
                if cursor.change != model.changes[key]?.change { isEqual = false }
                found.append(key)
                cursor.move(forward: true)
            }
            #expect(isEqual)
            #expect(found == keys.filter { !$0.lexicographicallyPrecedes(start) })
            found = []
            cursor = ChangeCursor(map, before: ChangeKey(start))
            while let key = cursor.key {
                found.append(key)
                cursor.move(forward: false)
            }
            #expect(found == keys.filter { $0.lexicographicallyPrecedes(start) }.reversed())
        }
    }

    private static func key(_ generator: inout SeededGenerator, _ step: Int) -> [UInt8] {
        let bytes: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF]
        let count = Int.random(in: 1...12, using: &generator)
        if count == 12 { return [0x80, UInt8(step >> 8 & 0xFF), UInt8(step & 0xFF)] }
        // Use keys that differ around the ends of the two words which are compared first.
        let zeros = [0, 6, 14, 30].randomElement(using: &generator) ?? 0
        return [UInt8](repeating: 0, count: zeros)
            + (0..<count).map { _ in bytes.randomElement(using: &generator) ?? 0 }
    }

    @Test("A key's head and its number of bytes order it as its bytes do")
    func heads() {
        var generator = SeededGenerator()
        for _ in 0..<20_000 {
            let one = Self.key(&generator, 0)
            // Mostly a beginning of the other, or longer by zeros.
            let other =
                Bool.random(using: &generator)
                ? Self.key(&generator, 0)
                : Bool.random(using: &generator)
                    ? Array(one.dropLast(Int.random(in: 0..<one.count, using: &generator)))
                    : one + [UInt8](repeating: 0, count: .random(in: 0...9, using: &generator))
            let order = ChangeKey(other).order(of: ChangeKey(one).head, one.count) {
                KeyOrder.compare(one, at: 0, count: one.count, with: other)
            }
            #expect((order < 0) == one.lexicographicallyPrecedes(other))
            #expect((order == 0) == (one == other))
        }
    }

    private static func change(_ generator: inout SeededGenerator) -> Change {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: .deletion
        case 1: .put([])
        default: .put([UInt8](repeating: 7, count: Int.random(in: 1...300, using: &generator)))
        }
    }
}
