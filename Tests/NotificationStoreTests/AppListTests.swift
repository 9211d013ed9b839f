internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("Lists of what an app has stored", .timeLimit(.minutes(2)))
struct AppListTests {
    private static let count = 7

    private let test: TestStore
    private let files: TestAttachments
    private let app = TestAttachments.app

    init() throws {
        // A page takes several transactions.
        test = try TestStore { $0.limits.rowsPerRead = 3 }
        files = TestAttachments(test: test)
    }

    /// Stores as many files, sounds and tables, and as many for an app whose name goes on.
    private func store() async throws {
        for number in 1...Self.count {
            let metadata = AttachmentMetadata(fileName: "\(number).wav", purpose: .sound)
            let bytes = SampleFiles.wave(blocks: number)
            let file = try await files.put(bytes, metadata).identifier
            _ = try await test.result {
                $0.setSound("\(number).wav", to: file, of: app, completion: $1)
            }.get()
            for app in [app, app + "x"] {
                var strings: [ExactText: LocalizedString] = [:]
                for text in 0..<number { strings[ExactText("\(text)")] = .text("Text") }
                let table = StringTable(app: app, language: "a\(number)", strings: strings)
                _ = try await test.result { $0.setStringTable(table, completion: $1) }.get()
            }
        }
    }

    private func pages<Entry>(
        of size: Int,
        _ read:
            (Store, AppPageQuery, @escaping Completion<AppListPage<Entry>>) -> Void
    ) async throws -> [[Entry]] {
        var pages: [[Entry]] = []
        var token: [UInt8]?
        repeat {
            let query = AppPageQuery(app: app, pageSize: size, token: token)
            let page = try await test.result { read($0, query, $1) }.get()
            pages.append(page.entries)
            token = page.nextToken
        } while token != nil
        return pages
    }

    @Test("Pages of every size have each entry once and in order", arguments: 1...(count + 1))
    func paging(size: Int) async throws {
        try await store()
        let tables = try await pages(of: size) { $0.listStringTables($1, completion: $2) }
        #expect(tables.joined().map(\.language) == (1...Self.count).map { "a\($0)" })
        #expect(tables.joined().map(\.count) == Array(1...Self.count))
        let sounds = try await pages(of: size) { $0.listSounds($1, completion: $2) }
        #expect(sounds.joined().map(\.sound.name) == (1...Self.count).map { "\($0).wav" })
        let files = try await pages(of: size) { $0.listAttachments($1, completion: $2) }
        let identifiers = files.joined().map(\.attachment.identifier)
        #expect(identifiers.count == Self.count)
        #expect(identifiers == identifiers.sorted())
        #expect(files.joined().allSatisfy { $0.referenceCount == 1 })
        let fullPages = (Self.count - 1) / size
        for sizes in [tables.map(\.count), sounds.map(\.count), files.map(\.count)] {
            #expect(sizes.dropLast() == Array(repeating: size, count: fullPages)[...])
        }
    }

    @Test("The bytes of sounds are those of their files")
    func bytes() async throws {
        try await store()
        let sounds = try await pages(of: 100) { $0.listSounds($1, completion: $2) }.joined()
        let files = try await pages(of: 100) { $0.listAttachments($1, completion: $2) }.joined()
        for sound in sounds {
            let file = files.first { $0.attachment.identifier == sound.sound.attachment }
            #expect(file?.attachment.byteCount == sound.byteCount)
        }
    }
}
