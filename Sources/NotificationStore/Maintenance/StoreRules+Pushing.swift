internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// The rules on registrations for pushes and on their tokens.

extension StoreRules {
    /// A registration is of a center that exists, and its token leads back to it.
    mutating func checkRegistration(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.registrations.key(key).center
        let record = try tables.registrations.row(value, at: key)
        if try transaction.found(name, in: tables.centerNumbers).row != record.number {
            found.append("is of center \(record.number), which is not there")
        }
        let token = try look(at: record.token, in: tables.deviceTokens, orElse: "its token is gone")
        if let token, token.center != name || token.end != nil {
            found.append("its token has ended, or is another one's")
        }
        if (try? DeviceTags.checked(record.tags)) != record.tags {
            found.append("has tags that cannot be set")
        }
        for tag in record.tags {
            try require(TagKey(tag, of: name), in: tables.tags, "its tag \(tag) leads nowhere")
        }
    }

    /// A token is the token of a registration, or has an end with a row of its own.
    mutating func checkDeviceToken(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let token = try tables.deviceTokens.key(key)
        let record = try tables.deviceTokens.row(value, at: key)
        if let end = record.end {
            if end.number >= state.nextSequence {
                found.append("the number of its end is still to be given")
            }
            let order = OwnedOrderKey(end.number, of: Registrant.digest(of: end.registrant))
            let row = try transaction.found(order, in: tables.endedTokens).row
            if row != token { found.append("has ended, and is not among the ended tokens") }
            try count(end.registrant) { $0.endedTokenCount += 1 }
        } else {
            let registration = RegistrationKey(record.center)
            let row = try transaction.found(registration, in: tables.registrations)
            if row.isMissing || row.row.map({ $0.token != token }) == true {
                found.append("is of no registration")
            }
        }
    }

    /// A row of the ended tokens is of a token that ended so.
    mutating func checkEndedToken(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let place = try tables.endedTokens.key(key)
        let token = try tables.endedTokens.row(value, at: key)
        let row = try transaction.found(token, in: tables.deviceTokens)
        let end = row.row.map { row in
            row.end.map { OwnedOrderKey($0.number, of: Registrant.digest(of: $0.registrant)) }
        }
        if row.isMissing || end.map({ $0 != place }) == true {
            found.append("its token has not ended so")
        }
    }

    /// A push that waits belongs to a center that exists, and its number was given.
    mutating func checkBackgroundPush(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.backgroundPushes.key(key)
        _ = try tables.backgroundPushes.row(value, at: key)
        try checkCenterExists(name.center)
        checkIsGiven(name.number)
    }

    /// An app that works on a push was asked to.
    mutating func checkBackgroundWork(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let center = try tables.backgroundWork.key(key)
        let work = try tables.backgroundWork.row(value, at: key)
        try checkCenterExists(center)
        guard let open = work.open else { return }
        let callback = CallbackKey(open.callback, of: center)
        try require(callback, in: tables.callbacks, "works on a push, and was not asked to")
    }

    /// A push that a provider named has a place in the order of such pushes.
    mutating func checkPushReceipt(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.pushReceipts.key(key)
        let receipt = try tables.pushReceipts.row(value, at: key)
        if receipt.number >= state.nextSequence { found.append("its number is still to be given") }
        let order = OwnedOrderKey(receipt.number, of: Registrant.digest(of: receipt.registrant))
        if try transaction.found(order, in: tables.pushOrder).row != name {
            found.append("is not in the order of pushes")
        }
        try count(receipt.registrant) { $0.receiptCount += 1 }
    }

    /// A place in the order names a push that has this place.
    mutating func checkPushOrder(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let place = try tables.pushOrder.key(key)
        let name = try tables.pushOrder.row(value, at: key)
        let receipt = try transaction.found(name, in: tables.pushReceipts)
        let own = receipt.row.map { row in
            OwnedOrderKey(row.number, of: Registrant.digest(of: row.registrant))
        }
        if receipt.isMissing || own.map({ $0 != place }) == true {
            found.append("its push has another place")
        }
    }
}
