internal import NotificationProtocol
internal import NotificationStore
internal import Testing

@testable internal import NotificationService

@Suite("Conditions, and what is told of them (ST-2)")
struct ConditionTests {
    @Test("Each condition of a store is one of the contract, with a name and what to do")
    func contract() {
        let told = StoreCondition.allCases.map(Belfry_V1_Condition.init)
        #expect(Set(told) == Set(Belfry_V1_Condition.allCases).subtracting([.unspecified]))
        for condition in told {
            #expect(condition.name == condition.name.uppercased())
            #expect(!condition.advice.isEmpty)
        }
        #expect(Set(told.map(\.name)).count == told.count)
        #expect(Set(told.map(\.advice)).count == told.count)
    }

    @Test("One that comes and goes is told once, and its end when it has stayed away")
    func told() {
        var told = ToldConditions()
        let start = ContinuousClock.now
        func changes(_ present: [StoreCondition], after seconds: Double) -> [String] {
            told.changes(to: present, at: start + .seconds(seconds)).map {
                "\($0.condition) \($0.isPresent)"
            }
        }
        #expect(changes([], after: 0) == [])
        #expect(changes([.storeFull], after: 1) == ["storeFull true"])
        for second in 2..<500 {
            let present: [StoreCondition] = second.isMultiple(of: 7) ? [.storeFull] : []
            #expect(changes(present, after: Double(second)) == [])
        }
        #expect(changes([], after: 497 + 59) == [])
        #expect(changes([], after: 497 + 60) == ["storeFull false"])
        #expect(changes([], after: 600) == [])
        #expect(
            changes([.storeFull, .overloaded], after: 601) == ["storeFull true", "overloaded true"]
        )
        // A clock that is set needs no minute.
        #expect(changes([.clockNotSet], after: 602) == ["clockNotSet true"])
        #expect(changes([], after: 603) == ["clockNotSet false"])
    }
}
