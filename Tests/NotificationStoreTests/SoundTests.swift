internal import BelfryLMDB
internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Sounds that apps have by name (SND-1, SND-2)", .timeLimit(.minutes(2)))
struct SoundTests {
    let test: TestStore
    let files: TestAttachments

    init() throws {
        test = try TestStore { $0.limits.soundsPerApp = 2 }
        files = TestAttachments(test: test)
    }

    /// Stores a sound of so many milliseconds, and gives its name.
    private func sound(_ milliseconds: Int) async throws -> String {
        let metadata = AttachmentMetadata(fileName: "a.wav", purpose: .sound)
        return try await files.put(SampleFiles.wave(blocks: milliseconds), metadata).identifier
    }

    @discardableResult
    private func set(
        _ name: String,
        to attachment: String,
        once key: OnceKey? = nil
    ) async throws -> InstalledSound? {
        try await test.result {
            $0.setSound(
                name,
                to: attachment,
                of: TestAttachments.app,
                once: key,
                completion: $1
            )
        }.get().first
    }

    private func isThere(_ name: String) async -> Bool { (try? await files.get(name)) != nil }

    @Test("A sound is kept with its name and what its header says, also after a restart")
    func kept() async throws {
        let name = try await sound(1_500)
        let installed = try #require(try await set("ring.wav", to: name))
        #expect(installed.name == "ring.wav")
        #expect(installed.attachment == name)
        #expect(
            installed.facts == SoundFacts(codec: .linearPCM, durationNanoseconds: 1_500_000_000)
        )
        try test.reopen()
        try await test.advance(by: .seconds(200_000))
        #expect(await isThere(name))
        let found = try test.store.environment.reading { transaction throws(StoreFailure) in
            try transaction.sound("ring.wav", of: TestAttachments.app, test.store.tables)
        }
        #expect(found == installed)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("Its file goes with the last name that it has")
    func replaced() async throws {
        let (first, second) = (try await sound(100), try await sound(200))
        try await set("a", to: first)
        try await set("b", to: first)
        try await set("a", to: second)
        #expect(await isThere(first))
        try await set("a", to: second)
        #expect(try await set("b", to: "") == nil)
        #expect(await !isThere(first))
        #expect(try await set("b", to: "") == nil)
        #expect(try await set("a", to: "") == nil)
        #expect(await !isThere(second))
        #expect(await files.names() == [])
    }

    @Test("What is no sound, has no name or is one too many is refused")
    func refused() async throws {
        let picture = try await files.put(SampleFiles.png()).identifier
        let plain = try await files.put(
            SampleFiles.wave(),
            AttachmentMetadata(fileName: "a.wav")
        ).identifier
        let long = String(repeating: "a", count: 257)
        let rows = [
            ("a", "x", "103 file"), ("a", picture, "101 file"),
            ("a", plain, "101 file"), ("", plain, "soundNameInvalid name"),
            (long, plain, "soundNameInvalid name"),
        ]
        for (name, attachment, refusal) in rows {
            #expect(await files.refusal { try await set(name, to: attachment) } == refusal)
        }
        let name = try await sound(100)
        try await set("a", to: name)
        try await set(String(repeating: "a", count: 256), to: name)
        #expect(await files.refusal { try await set("c", to: name) } == "soundLimit")
        // A sound that is there may change.
        try await set("a", to: name)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A retry is told the first reply")
    func retry() async throws {
        let text = "019b76da-a800-7000-8000-000000000001"
        let key = try OnceKey(text, method: "SetSound", request: [1])
        let name = try await sound(100)
        let first = try await set("a", to: name, once: key)
        try await set("a", to: "")
        #expect(try await set("a", to: name, once: key) == first)
        #expect(await !isThere(name))
    }
}
