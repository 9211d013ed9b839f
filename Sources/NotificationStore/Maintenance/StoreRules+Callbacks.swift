internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// The rules on callbacks, open and ended.

extension StoreRules {
    /// An open callback is in the index at its deadline, and an arriving occurrence names its
    /// callback.
    mutating func checkCallback(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.callbacks.key(key)
        let center = name.center
        try checkCenterExists(center)
        checkIsGiven(name.number)
        let callback = try tables.callbacks.row(value, at: key)
        let due = DueKey(callback.due, name.number)
        if try transaction.found(due, in: tables.dueElapsed).row?.center != center {
            found.append("is open and not in the due index")
        }
        switch callback.question {
        case .willPresent(let fired):
            tallies[center, default: Tally()].arriving += 1
            referred.insert(fired.sequence)
            guard let identifier = try identifier(ofRequest: fired.sequence) else { return }
            let arriving = IdentifierRecord.Arriving(
                callback: name.number,
                sequence: fired.sequence
            )
            if identifier.arriving != arriving { found.append("its identifier is not arriving so") }
        case .backgroundPush(let push):
            let key = BackgroundPushKey(push, of: center)
            try require(key, in: tables.backgroundPushes, "its push is gone")
            let work = try transaction.found(center, in: tables.backgroundWork).row
            let asked = BackgroundWorkRecord.Open(callback: name.number, push: push)
            if work?.open != asked {
                found.append("its app works on another push")
            }
        case .didReceive, .content:
            tallies[center, default: Tally()].openResponses += 1
        case .service(let service):
            let key = ServiceArrivalKey(service.arrival, of: center)
            let row = try look(at: key, in: tables.serviceArrivals, orElse: "its push is gone")
            if let row, row.asked != name.number { found.append("its push is not asked about so") }
        }
        guard callback.question.asked != nil else { return }
        let app = try transaction.found(center, in: tables.centers).row?.center.name.app
        guard let app else { return }
        let question = ExtensionQuestionKey(name.number, of: app)
        try require(question, in: tables.extensionQuestions, "no extension finds it")
    }

    /// A push that waits for the service extension is the arriving occurrence of its identifier,
    /// and the first of its center is asked about.
    mutating func checkServiceArrival(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.serviceArrivals.key(key)
        let center = name.center
        try checkCenterExists(center)
        checkIsGiven(name.number)
        let row = try tables.serviceArrivals.row(value, at: key)
        tallies[center, default: Tally()].arriving += 1
        referred.insert(row.fired.sequence)
        if let best = row.bestAttempt { referred.insert(best) }
        let first = try transaction.keys(in: tables.serviceArrivals, .center(center), atMost: 1)
        if (row.asked != nil) != (first.first?.number == name.number) {
            found.append("is asked about, and not the first, or the other way round")
        }
        if let asked = row.asked {
            let question = CallbackKey(asked, of: center)
            try require(question, in: tables.callbacks, "its question is gone")
        }
        for sequence in [row.fired.sequence, row.bestAttempt].compactMap(\.self) {
            guard let identifier = try identifier(ofRequest: sequence) else { return }
            let arriving = IdentifierRecord.Arriving(
                callback: name.number,
                sequence: row.fired.sequence
            )
            if identifier.arriving != arriving { found.append("its identifier is not arriving so") }
        }
    }

    /// The row by which an extension finds its question has the question's center and app.
    mutating func checkExtensionQuestion(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.extensionQuestions.key(key)
        let row = try tables.extensionQuestions.row(value, at: key)
        let callback = CallbackKey(name.number, of: row.center)
        switch try transaction.found(callback, in: tables.callbacks) {
        case .missing: found.append("its callback is gone")
        case .damaged: return
        case .row(let callback):
            let asked = callback.question.asked
            if asked?.kind != row.kind || asked?.name != row.name {
                found.append("its callback asks another")
            }
        }
        let center = try transaction.found(row.center, in: tables.centers).row?.center
        if let center, center.name.app != name.app { found.append("is of another app") }
    }

    mutating func checkEndedCallback(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let center = try tables.endedCallbacks.key(key).center
        try checkCenterExists(center)
        _ = try tables.endedCallbacks.row(value, at: key)
        tallies[center, default: Tally()].endedCallbacks += 1
    }
}
