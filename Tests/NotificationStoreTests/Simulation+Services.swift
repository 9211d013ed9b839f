internal import NotificationCore
internal import TestSupport

@testable internal import NotificationFeeds
@testable internal import NotificationStore

// The service extension of an app: it serves, answers what it is asked, and leaves.

extension Simulation {
    /// Names the call of an app's extension.
    private static let serving = "the extension"

    private static func `extension`(of app: String) -> AppExtension {
        AppExtension(identifier: "\(app).service", kind: .service, categories: [])
    }

    /// The question to the extension about a center.
    func serviceQuestion(of name: CenterName) throws -> ExtensionCallback? {
        let number = try test.store.number(of: name)
        var last: CallbackNumber = 0
        // A message at a time, as a stream does.
        while last < .max {
            let found = try test.store.reader.questions(
                to: Self.extension(of: name.app),
                of: name.app,
                after: last,
                upTo: .max,
                asOf: test.store.clock.now()
            )
            if let asked = found.callbacks.first(where: { $0.name.center == number }) {
                return asked
            }
            last = found.upTo
        }
        return nil
    }

    /// An app's extension serves, for all devices, or does so no longer.
    ///
    /// It has no stream: its questions are read where they are kept.
    mutating func serveOrGo(_ index: Int) async throws {
        let app = members[index].name.app
        let those = members.indices.filter { members[$0].name.app == app }
        let item = Self.extension(of: app)
        let request = ServingRequest(app: app, extension: item, identifier: Self.serving)
        if members[index].model.isServed {
            _ = test.feeds.extensions.detach(request)
            test.store.endUnservedQuestions(of: app)
            // Its slices are done before the later work.
            await test.settle()
            for those in those { members[those].model.endService() }
        } else {
            let now = test.store.clock.now().elapsed
            _ = try test.feeds.extensions.attach(request, at: now)
            for those in those { members[those].model.isServed = true }
        }
    }

    /// The extension answers a question about one of the centers, if it has one.
    mutating func answerAsService() async throws {
        for index in members.indices.shuffled(using: &generator)
        where members[index].model.isServed {
            if let question = try serviceQuestion(of: members[index].name) {
                return try await answer(question, about: index)
            }
        }
    }

    private mutating func answer(_ question: ExtensionCallback, about index: Int) async throws {
        guard case .service(let request) = question.question else { return }
        let name = members[index].name
        var content = request.content
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: content = NotificationContent()
        case 1: break
        default: content.title = "changed"
        }
        let isBestAttempt = Int.random(in: 0..<3, using: &generator) == 0
        let answer = ServiceAnswer(
            question: question.name,
            content: content,
            isBestAttempt: isBestAttempt
        )
        let outcome = await test.result {
            $0.completeServiceExtension(
                answer,
                of: name.app,
                through: Self.serving,
                completion: $1
            )
        }
        let expected = members[index].model.answerAsService(
            request.identifier,
            content,
            isBestAttempt: isBestAttempt
        )
        try require("extension", outcome, .success(expected))
    }
}
