internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore

extension Belfry_V1_Callback {
    init(_ callback: Callback) {
        self.init()
        callbackID = String(callback.number.rawValue)
        deadline = .init(callback.deadline)
        switch callback.question {
        case .willPresent(let notification):
            willPresent.notification = .init(notification)
        case .backgroundPush(let push):
            backgroundPush.apnsID = push.apnsID
            backgroundPush.userInfoJson = push.userInfoJSON
            if let trace = push.trace { backgroundPush.trace = .init(trace) }
        case .didReceive(let response):
            didReceive = .init(response)
        }
    }
}

extension Belfry_V1_NotificationResponse {
    init(_ response: NotificationResponse) {
        self.init()
        notification = .init(response.notification)
        actionIdentifier = response.actionIdentifier
        if let text = response.userText { userText = text }
    }
}

extension Belfry_V1_CallbackEnded {
    init(_ ended: CallbackEnd) {
        self.init()
        callbackID = String(ended.callback.rawValue)
        outcome = .init(ended.outcome)
    }
}

extension Belfry_V1_CallbackOutcome {
    init(_ outcome: CallbackOutcome) {
        self = .init(rawValue: Int(outcome.rawValue)) ?? .unspecified
    }
}

extension Belfry_V1_NotificationRef {
    init(_ responded: Event.Responded, of center: Belfry_V1_Center) {
        self.init()
        self.center = center
        identifier = responded.identifier
        delivery = responded.delivery.rawValue
    }
}
