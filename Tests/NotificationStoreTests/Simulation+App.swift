internal import NotificationCore
internal import TestSupport

@testable internal import NotificationFeeds
@testable internal import NotificationStore

// The app of a center: it connects, answers what it is asked, and leaves.

extension Simulation {
    /// The app connects, in front or behind, or leaves.
    ///
    /// It has no stream, which may end at any time: events are trimmed before it read them.
    mutating func comeOrGo(_ index: Int) async throws {
        let name = members[index].name
        let number = try test.store.number(of: name)
        let sessions = test.feeds.sessions
        members[index].model.isSilent = false
        if members[index].model.isConnected {
            sessions.detach(Self.subscription, from: number)
            members[index].model.isConnected = false
            members[index].model.isInFront = false
            return
        }
        let isInFront = Int.random(in: 0..<3, using: &generator) > 0
        var request = SubscriptionRequest(center: name, identifier: Self.subscription)
        request.role = DelegateRole(capabilities: [.willPresent, .backgroundPush])
        request.appState = isInFront ? .foreground : .background
        _ = sessions.attach(request, to: number, at: test.store.clock.now().elapsed)
        test.store.offerBackgroundPushes(to: name)
        await test.settle()
        members[index].model.isConnected = true
        members[index].model.isInFront = isInFront
        members[index].model.offerBackgroundPushes()
    }

    /// The app of a center answers one of its questions, if it has one.
    mutating func complete(_ index: Int) async throws {
        let name = members[index].name
        let open = try test.openCallbacks(of: name)
        guard members[index].model.isConnected,
            let callback = open.randomElement(using: &generator)
        else { return }
        let completion = CallbackCompletion(
            callback: callback.number,
            answer: answer(callback, of: index)
        )
        // Complete it twice: the second time it is the same answer, which is no other act.
        for _ in 0..<2 {
            let result = await test.result {
                $0.complete(
                    [.success(completion)],
                    of: name,
                    through: Self.subscription,
                    completion: $1
                )
            }
            try require("completed", try result.get().results, [.success(callback.number)])
        }
    }

    /// Answers a question of the model as that of the store will be.
    private mutating func answer(_ callback: Callback, of index: Int) -> CallbackAnswer {
        switch callback.question {
        case .willPresent(let notification):
            let all: [PresentationOptions] = [[], .list, [.banner, .sound], [.list, .badge]]
            let options = all.randomElement(using: &generator) ?? []
            members[index].model.complete(notification.request.identifier, with: options)
            return .present(options)
        case .backgroundPush:
            let all = BackgroundFetchResult.allCases
            let result = all.randomElement(using: &generator) ?? .noData
            members[index].model.endBackgroundPush(with: BackgroundPushEnd(result))
            return .fetched(result)
        case .didReceive: preconditionFailure("nobody acts in the simulation")
        }
    }
}
