internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("Dismissing (NC-2, NC-5)")
struct DismissTests {
    let test: TestStore

    init() throws { test = try TestStore() }

    private func deliver(
        _ identifiers: String...,
        thread: String = "",
        to center: CenterName? = nil
    ) async throws {
        for identifier in identifiers {
            try await test.add(.titled(identifier) { $0.threadIdentifier = thread }, to: center)
        }
    }

    private func group(_ thread: String) -> DismissTarget {
        .group(GroupName(center: test.center, kind: .thread(thread)))
    }

    @Test("One is removed by the person; without the category's option the app is not told")
    func one() async throws {
        try await test.authorize()
        try await deliver("a", "b")
        let a = test.reference("a", 1)
        #expect(try await test.dismiss(.one(a)) == Dismissal(dismissed: [a], count: 1))
        #expect(try await test.delivered().map(\.request.identifier) == ["b"])
        let removed = Event.Removed(reason: .person, identifier: "a", delivery: 1)
        #expect(try await test.events().last?.kind == .removed(removed))
        #expect(try test.state().openResponseCount == 0)
    }

    @Test("Those that the person saw are removed; what is gone or was replaced is passed over")
    func these() async throws {
        try await test.authorize()
        try await deliver("a", "b", "c", "d")
        let seen = [test.reference("a", 1), test.reference("b", 2), test.reference("c", 3)]
        try await deliver("b")
        _ = try await test.dismiss(.one(seen[2]))
        let dismissal = try await test.dismiss(.these(seen + seen))
        #expect(dismissal == Dismissal(dismissed: [seen[0]], count: 1))
        #expect(try await test.delivered().map(\.request.identifier) == ["b", "d"])
    }

    @Test(
        "An app that is unregistered between two slices ends nothing",
        arguments: [false, true]
    )
    func unregistered(isGroup: Bool) async throws {
        let name = CenterName.local("org.example.zzz")
        try await test.authorize()
        try await test.authorize(for: name)
        let leaving = isGroup ? test.center : name
        // A slice reads 256 rows: it ends at the end of the first center, or beside it.
        for count in 252...258 {
            try await test.addAll((0..<count).map { try .titled("\($0)") })
            try await deliver("a", to: leaving)
            let (dismissal, gone) = (Pending<Dismissal>(), Pending<[String]>())
            await test.whileWriterRests {
                // Commands of one caller are in one batch: the app goes behind the first slice.
                let caller = CommandSource(
                    registrant: Registrant(.token, "a"),
                    connection: 1,
                    byteCount: 0
                )
                CommandSource.$current.withValue(caller) {
                    let target = isGroup ? group("") : .all(device: test.center.device)
                    test.store.dismiss(target, completion: dismissal.complete)
                    test.store.unregisterApp(leaving, completion: gone.complete)
                }
            }
            #expect(try await dismissal.value.get().count >= 100)
            _ = try await gone.value.get()
            await test.settle()
            #expect(test.damagedRows.isEmpty)
            try await test.authorize(for: leaving)
            try await test.add(.titled("again"), to: leaving)
        }
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A banner that is swiped away stays in the list, and nobody is told")
    func banner() async throws {
        try await test.authorize()
        try await deliver("a")
        let before = try test.state()
        let a = test.reference("a", 1)
        #expect(try await test.dismiss(.banner(a)).dismissed == [a])
        #expect(try test.state() == before)
        await #expect(throws: Refusal.notificationNotFound) {
            try await test.dismiss(.banner(test.reference("z", 1)))
        }
    }

    @Test("A group is dismissed with all of it, and nothing else")
    func group() async throws {
        try await test.authorize()
        try await deliver("a", "b", thread: "t")
        try await deliver("c")
        try await deliver("d", thread: "T")
        #expect(try await test.dismiss(group("t")).count == 2)
        #expect(try await test.delivered().map(\.request.identifier) == ["d", "c"])
        await #expect(throws: Refusal.groupNotFound) { try await test.dismiss(group("t")) }
        let single = GroupName(center: test.center, kind: .single(4))
        #expect(try await test.dismiss(.group(single)).dismissed == [test.reference("d", 4)])
        let app = GroupName(center: test.center, kind: .app)
        #expect(try await test.dismiss(.group(app)).dismissed == [test.reference("c", 3)])
    }

    @Test("Of a large group every slice is dismissed, and 1,000 are named")
    func largeGroup() async throws {
        try test.reopen { $0.limits.deliveredPerCenter = 2_000 }
        try await test.authorize()
        for start in [0, 600] {
            try await test.addAll(
                try (start..<start + 600).map { index in
                    try .titled("\(index)") { $0.threadIdentifier = index % 6 == 5 ? "u" : "" }
                }
            )
        }
        let dismissal = try await test.dismiss(group(""))
        #expect(dismissal.count == 1_000)
        #expect(dismissal.dismissed.count == 1_000)
        #expect(try test.state().deliveredCount == 200)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path).isEmpty)
    }

    @Test("All of a device: every app on it, and no other device's")
    func all() async throws {
        let other = CenterName.local("org.example.other")
        let far = try CenterName(app: test.center.app, device: "local2")
        for center in [test.center, other, far] {
            try await test.authorize(for: center)
            try await deliver("a", "b", to: center)
        }
        try await test.authorize(for: .local("org.example.empty"))
        let dismissal = try await test.dismiss(.all(device: "local"))
        #expect(dismissal.count == 4)
        #expect(Set(dismissal.dismissed.map(\.center)) == [test.center, other])
        #expect(try test.state(of: far).deliveredCount == 2)
        #expect(try test.state(of: other).deliveredCount == 0)
        #expect(try await test.dismiss(.all(device: "nobody")) == Dismissal())
    }

    @Test("A retry after a crash in the middle goes on, and names all of it")
    func retry() async throws {
        try await test.authorize()
        try await test.addAll(try (0..<700).map { try .titled("\($0)") })
        let key = try OnceKey(
            "019b76da-a800-7000-8000-000000000001",
            method: "Dismiss",
            request: []
        )
        let first = try await test.result {
            $0.dismiss(.all(device: "local"), once: key, completion: $1)
        }.get()
        #expect(first.count == 700)
        try await deliver("new")
        try test.crash()
        let again = try await test.result {
            $0.dismiss(.all(device: "local"), once: key, completion: $1)
        }.get()
        #expect(again == first)
        #expect(try test.state().deliveredCount == 1)
    }

    @Test("A group's name says what it is, and nothing else is a name")
    func names() throws {
        let kinds: [GroupName.Kind] = [
            .thread(""), .thread("a/b"), .thread("é"), .app, .single(7),
        ]
        for kind in kinds {
            let name = GroupName(center: test.center, kind: kind)
            #expect(try GroupName(name.text, on: "local") == name)
        }
        let bad = ["", "a", "a/", "a/app/", "a/single", "a/single/07", "a/thread", "a$b/app"]
        for text in bad {
            #expect(throws: Refusal.groupNotFound, "\(text)") {
                _ = try GroupName(text, on: "local")
            }
        }
    }
}
