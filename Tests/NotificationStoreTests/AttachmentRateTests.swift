internal import BelfryLocking
internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("The least rate of an upload", .timeLimit(.minutes(5)))
struct AttachmentRateTests {
    @Test("A caller that sends a little now and then, below the least rate, is told")
    func trickling() async throws {
        let test = try TestStore { $0.limits.transferStallNanoseconds = 500_000_000 }
        let told = Guarded<Refusal?>(nil)
        let upload = try test.store.storeAttachment(.init(fileName: "a.png"), of: "a") { refusal in
            told.withLock { $0 = refusal }
        }
        let bytes = SampleFiles.png(bytes: 100)
        var sent = 0
        while sent < 100, told.withLock({ $0 }) == nil {
            let byte = [bytes[sent % bytes.count]]
            guard case .success = await test.result({ upload.append(byte, completion: $1) }) else {
                break
            }
            sent += 1
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(told.withLock { $0 }?.reason == .transferStalled)
        #expect(sent < 100)
        upload.cancel()
    }

    @Test("A caller above the least rate goes on for longer than it may do nothing")
    func steady() async throws {
        let test = try TestStore {
            $0.limits.transferStallNanoseconds = 2_000_000_000
            $0.limits.transferBytesPerSecond = 500
        }
        let upload = try test.store.storeAttachment(.init(fileName: "a.png"), of: "a") { refusal in
            Issue.record("\(refusal.reason)")
        }
        let bytes = SampleFiles.png(bytes: 10_000)
        for start in stride(from: 0, to: bytes.count, by: 400) {
            let part = Array(bytes[start..<start + 400])
            try await test.result { upload.append(part, completion: $1) }.get()
            try await Task.sleep(for: .milliseconds(100))
        }
        _ = try await test.result { upload.finish(once: nil, completion: $1) }.get()
    }
}
