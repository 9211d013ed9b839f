internal import NotificationCore
internal import NotificationFeeds
internal import NotificationStore
internal import TestSupport

// The app in front, and what it answers.

extension CalendarSimulation {
    /// The app comes to the front, leaves, or is cut off.
    mutating func comeOrGo(_ center: Int) async throws {
        let name = model.centers[center].name
        if let primary = seen[center].primary {
            let isCut = isOne(in: 2)
            story.append("\(told(center)) \(isCut ? "is cut off" : "leaves")")
            primary.subscription.feed.cancel(isCut: isCut)
            seen[center].primary = nil
            if isCut {
                model.cut(center)
            } else {
                model.leave(center)
            }
        } else {
            let isDeaf = isOne(in: 3)
            let how = isDeaf ? ", without will-present" : ""
            story.append("\(told(center)) comes to the front\(how)")
            let last = seen[center].last
            let subscription = try test.subscribe(
                after: last,
                to: name,
                as: DelegateRole(capabilities: isDeaf ? .didReceive : .willPresent),
                .foreground
            )
            seen[center].primary = await EventFollower.follow(subscription, after: last)
            model.come(center, isDeaf: isDeaf)
        }
    }

    /// The simulated app answers one of its questions, if it has one.
    mutating func answer(_ center: Int) async throws {
        let name = model.centers[center].name
        let open = try test.openCallbacks(of: name)
        guard let primary = seen[center].primary, model.centers[center].front != .deaf,
            model.centers[center].front != .mayBeDeaf, !open.isEmpty
        else { return }
        let callback = oneOf(open)
        guard case .willPresent(let notification) = callback.question else { return }
        let options: PresentationOptions = oneOf([[], [.list], [.list, .banner]])
        let identifier = notification.request.identifier
        story.append("\(told(center)) answers \(identifier) with \(options)")
        let completion = CallbackCompletion(callback: callback.number, answer: .present(options))
        let reply = try await test.result {
            $0.complete(
                [.success(completion)],
                of: name,
                through: primary.subscription.feed.identifier,
                completion: $1
            )
        }.get()
        try require("completed", reply.results, [.success(callback.number)])
        model.answer(identifier, with: options, of: center)
    }
}

extension TimeModel {
    mutating func come(_ center: Int, isDeaf: Bool) {
        let isAsked = centers[center].expected.contains { $0.mayWait && $0.answer == nil }
        centers[center].front = isDeaf ? (isAsked ? .mayBeDeaf : .deaf) : .asks
        centers[center].cutUntil = nil
    }

    mutating func leave(_ center: Int) {
        centers[center].front = .nobody
        centers[center].cutUntil = nil
    }

    /// The server ended at an instant, while it may have fired only a part of the due requests: the
    /// rest fires after the start, when no app is in front.
    mutating func crashedAmongWhatIsDue() {
        for center in centers.indices {
            for index in centers[center].expected.indices
            where centers[center].expected[index].elapsed == elapsed {
                switch centers[center].expected[index].kind {
                case .fires(.deaf): centers[center].expected[index].kind = .fires(.mayBeDeaf)
                case .fires(.asks): centers[center].expected[index].kind = .fires(.mayAsk)
                default: break
                }
            }
        }
    }

    /// The stream is cut: its role and state stay for five seconds.
    mutating func cut(_ center: Int) {
        centers[center].cutUntil = elapsed + 5 * .nanosecondsPerSecond
    }

    /// The app answers its last question about an identifier.
    mutating func answer(
        _ identifier: String,
        with options: PresentationOptions,
        of center: Int
    ) {
        if centers[center].front == .mayAsk { centers[center].front = .asks }
        guard
            let index = centers[center].expected.lastIndex(where: {
                $0.identifier == identifier && $0.answer == nil
            })
        else { return }
        centers[center].expected[index].answer = options
    }

    /// Notifications that arrive are taken away.
    mutating func withdraw(_ identifiers: [String], of center: Int) {
        for index in centers[center].expected.indices
        where identifiers.contains(centers[center].expected[index].identifier) {
            guard case .fires = centers[center].expected[index].kind else { continue }
            centers[center].expected[index].answer = []
        }
    }
}
