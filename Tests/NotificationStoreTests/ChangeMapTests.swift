internal import TestSupport
internal import Testing

@testable internal import NotificationRecords

/// The map of changes against a sorted array, with keys that are each other's beginnings and more
/// keys than several nodes hold.
@Suite("Changes in memory")
struct ChangeMapTests {
    /// What a map has to hold.
    private typealias Model = [[UInt8]: Change]

    @Test("A map does what a dictionary does, and its copies stay as they are")
    func model() {
        var generator = SeededGenerator()
        for _ in 0..<20 {
            var map = ChangeMap()
            var model = Model()
            var copies: [(map: ChangeMap, model: Model)] = []
            for step in 0..<2_000 {
                let key = Self.key(&generator, step)
                switch Int.random(in: 0..<10, using: &generator) {
                case 0..<5:
                    let change = Self.change(&generator)
                    map.set(key, change)
                    model[key] = change
                case 5..<9:
                    let key = model.keys.randomElement(using: &generator) ?? key
                    let wasThere = map.remove(key)
                    #expect(wasThere == (model.removeValue(forKey: key) != nil))
                default: #expect(map.change(at: key) == model[key])
                }
                #expect(map.count == model.count)
                if Int.random(in: 0..<300, using: &generator) == 0 { copies.append((map, model)) }
            }
            copies.append((map, model))
            for copy in copies { compare(copy.map, copy.model, &generator) }
        }

    }

    @Test("Keys in order fill their nodes, and all of them can be removed again")
    func inOrder() {
        var map = ChangeMap()
        let keys = (0..<UInt16(5_000)).map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for key in keys { map.set(key, .put(key)) }
        #expect(map.count == keys.count)
        #expect(map.root.children.allSatisfy { $0.entries.count >= ChangeNode.capacity / 2 })
        for key in keys {
            #expect(ChangeCursor(map, atOrAfter: []).key == key)
            map.remove(key)
        }
        #expect(map.isEmpty)
        #expect(ChangeCursor(map, atOrAfter: []).key == nil)
        #expect(ChangeCursor(map, before: [0xFF]).key == nil)
    }

    private func compare(_ map: ChangeMap, _ model: Model, _ generator: inout SeededGenerator) {
        let keys = model.keys.sorted { $0.lexicographicallyPrecedes($1) }
        for start in [[], keys.randomElement(using: &generator) ?? [], Self.key(&generator, 0)] {
            var found: [[UInt8]] = []
            var cursor = ChangeCursor(map, atOrAfter: start)
            while let key = cursor.key {
                #expect(cursor.change == model[key])
                found.append(key)
                cursor.move(forward: true)
            }
            #expect(found == keys.filter { !$0.lexicographicallyPrecedes(start) })
            found = []
            cursor = ChangeCursor(map, before: start)
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
        return (0..<count).map { _ in bytes.randomElement(using: &generator) ?? 0 }
    }

    private static func change(_ generator: inout SeededGenerator) -> Change {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: .deletion
        case 1: .put([])
        default: .put([UInt8](repeating: 7, count: Int.random(in: 1...300, using: &generator)))
        }
    }
}
