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
        case .didReceive(let response):
            didReceive.notification = .init(response.notification)
            didReceive.actionIdentifier = response.actionIdentifier
            if let text = response.userText { didReceive.userText = text }
        }
    }
}

extension Belfry_V1_CallbackEnded {
    init(_ ended: CallbackEnd) {
        self.init()
        callbackID = String(ended.callback.rawValue)
        outcome = .init(rawValue: Int(ended.outcome.rawValue)) ?? .unspecified
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
