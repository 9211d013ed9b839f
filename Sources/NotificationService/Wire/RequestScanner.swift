internal import Faults
package import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf

/// The parts of an `Add` or an `AddBatch`, which have the same fields, scanned in one pass.
package struct ScannedAdd {
    package let center: CenterName
    /// The idempotency key, not yet checked; empty is none.
    package let idempotencyKey: String
    /// The valid requests, at least one.
    package let requests: [NotificationRequest]

    /// Scans the bytes of a call.
    ///
    /// It refuses nothing: for all that is unusual or wrong it gives nil, and the full decoder
    /// takes the request or says the refusal. A field that comes twice is left to it as well, but a
    /// request, so that there are never more fields than a message may have.
    ///
    /// - Complexity: O(bytes).
    package init?(_ bytes: [UInt8], atMost requestLimit: Int) {
        do throws(Unfamiliar) {
            try self.init(scanning: WireScanner(bytes), atMost: requestLimit)
        } catch {
            return nil
        }
    }

    private init(
        scanning message: consuming WireScanner,
        atMost requestLimit: Int
    ) throws(Unfamiliar) {
        var (center, idempotencyKey) = (CenterName?.none, String?.none)
        var requests: [NotificationRequest] = []
        while let field = try message.nextField() {
            switch field {
            case 1: try center.takeOnly(try CenterName(scanning: try message.message()))
            case 2: try idempotencyKey.takeOnly(try message.text())
            case 3:
                guard requests.count < requestLimit else { throw Unfamiliar() }
                requests.append(try NotificationRequest(scanning: try message.message()))
            default: throw Unfamiliar()
            }
        }
        guard let center, !requests.isEmpty else { throw Unfamiliar() }
        self.center = center
        self.idempotencyKey = idempotencyKey ?? ""
        self.requests = requests
    }
}

extension CenterName {
    fileprivate init(scanning message: consuming WireScanner) throws(Unfamiliar) {
        var (app, device) = ("", "")
        while let field = try message.nextField() {
            switch field {
            case 1: app = try message.text()
            case 2: device = try message.text()
            default: throw Unfamiliar()
            }
        }
        self = try familiar { () throws(Refusal) in try CenterName(app: app, device: device) }
    }
}

extension NotificationRequest {
    fileprivate init(scanning message: consuming WireScanner) throws(Unfamiliar) {
        var (identifier, replacementKey) = ("", "")
        // Scan it in place: a content is large, and each move of it takes long.
        var content = NotificationContent()
        var hasContent = false
        var (trigger, expiresAfter) = (Trigger?.none, Int64?.none)
        while let field = try message.nextField() {
            switch field {
            case 1: identifier = try message.text()
            case 2:
                guard !hasContent else { throw Unfamiliar() }
                hasContent = true
                try content.scan(try message.message())
            case 3: try trigger.takeOnly(try Trigger(scanning: try message.message()))
            case 4: replacementKey = try message.text()
            case 5: try expiresAfter.takeOnly(try message.nanoseconds())
            default: throw Unfamiliar()
            }
        }
        guard hasContent else { throw Unfamiliar() }
        if identifier.isEmpty { identifier = UUIDText.random() }
        self.init(identifier: identifier, content: content, trigger: trigger)
        self.replacementKey = replacementKey
        expiresAfterNanoseconds = expiresAfter
        if Fault.scannedRequestNotValidated.isPlanted { return }
        do {
            try validate()
        } catch {
            throw Unfamiliar()
        }
    }
}

extension NotificationContent {
    fileprivate mutating func scan(_ message: consuming WireScanner) throws(Unfamiliar) {
        while let field = try message.nextField() {
            switch field {
            case 1: title = try message.text()
            case 2: subtitle = try message.text()
            case 3: body = try message.text()
            case 4: badge = Int32(truncatingIfNeeded: try message.number())
            case 5: badgeMode = try message.choice()
            case 6: try sound.takeOnly(try Sound(scanning: try message.message()))
            case 8: categoryIdentifier = try message.text()
            case 9: threadIdentifier = try message.text()
            case 10: userInfoJSON = try message.text()
            case 11: launchImageName = try message.text()
            case 12: summaryArgument = try message.text()
            case 13:
                givenSummaryArgumentCount = UInt32(truncatingIfNeeded: try message.number())
            case 14: targetContentIdentifier = try message.text()
            case 15: givenInterruptionLevel = try message.choice() as InterruptionLevel
            case 16: relevanceScore = try message.double()
            case 17: filterCriteria = try message.text()
            case 18:
                try foregroundPresentation.takeOnly(
                    try PresentationOptions(scanning: try message.message())
                )
            case 24: progress = try message.double()
            case 25: updatesQuietly = try message.number() != 0
            default: throw Unfamiliar()
            }
        }
    }
}

extension Sound {
    fileprivate init(scanning message: consuming WireScanner) throws(Unfamiliar) {
        self.init()
        while let field = try message.nextField() {
            switch field {
            case 1: kind = try message.choice()
            case 2: name = try message.text()
            case 3: isCritical = try message.number() != 0
            case 4: volume = try message.double()
            default: throw Unfamiliar()
            }
        }
    }
}

extension PresentationOptions {
    fileprivate init(scanning message: consuming WireScanner) throws(Unfamiliar) {
        var options: [Belfry_V1_PresentationOption] = []
        while let field = try message.nextField() {
            guard field == 1 else { throw Unfamiliar() }
            try message.numbers { number throws(Unfamiliar) in
                let number = Int(Int32(truncatingIfNeeded: number))
                guard let option = Belfry_V1_PresentationOption(rawValue: number) else {
                    throw Unfamiliar()
                }
                options.append(option)
            }
        }
        self = try familiar { () throws(Refusal) in try optionSet(options, "options") }
    }
}

extension Trigger {
    fileprivate init(scanning message: consuming WireScanner) throws(Unfamiliar) {
        var repeats = false
        var (interval, instant) = (Int64?.none, WallInstant?.none)
        while let field = try message.nextField() {
            switch field {
            case 1: repeats = try message.number() != 0
            case 3: try interval.takeOnly(try message.message().interval())
            case 8: try instant.takeOnly(try message.instant())
            default: throw Unfamiliar()
            }
        }
        switch (interval, instant) {
        case (let interval?, nil):
            self = .timeInterval(
                try familiar { () throws(Refusal) in
                    try TimeIntervalTrigger(intervalNanoseconds: interval, repeats: repeats)
                }
            )
        case (nil, let instant?) where !repeats: self = .at(instant)
        default: throw Unfamiliar()
        }
    }
}

extension WireScanner {
    /// Reads the interval of the message of a time interval trigger.
    fileprivate consuming func interval() throws(Unfamiliar) -> Int64 {
        var interval: Int64?
        while let field = try nextField() {
            guard field == 1 else { throw Unfamiliar() }
            try interval.takeOnly(try nanoseconds())
        }
        guard let interval else { throw Unfamiliar() }
        return interval
    }

    /// Reads a `Duration`.
    fileprivate mutating func nanoseconds() throws(Unfamiliar) -> Int64 {
        let (seconds, nanos) = try message().secondsAndNanos()
        let duration = Google_Protobuf_Duration(seconds: seconds, nanos: nanos)
        return try familiar { () throws(Refusal) in try Int64(duration, "duration") }
    }

    /// Reads a `Timestamp`.
    fileprivate mutating func instant() throws(Unfamiliar) -> WallInstant {
        let (seconds, nanos) = try message().secondsAndNanos()
        let timestamp = Google_Protobuf_Timestamp(seconds: seconds, nanos: nanos)
        return try familiar { () throws(Refusal) in try WallInstant(timestamp, "timestamp") }
    }

    private consuming func secondsAndNanos() throws(Unfamiliar) -> (Int64, Int32) {
        var (seconds, nanos) = (Int64(0), Int32(0))
        while let field = try nextField() {
            switch field {
            case 1: seconds = Int64(bitPattern: try number())
            case 2: nanos = Int32(truncatingIfNeeded: try number())
            default: throw Unfamiliar()
            }
        }
        return (seconds, nanos)
    }
}

extension Optional {
    /// Takes the only value of a field; the full decoder merges a message that comes twice.
    fileprivate mutating func takeOnly(_ value: consuming Wrapped) throws(Unfamiliar) {
        guard self == nil else { throw Unfamiliar() }
        self = value
    }
}

/// Makes a value of the core; the full decoder says the refusal of one that there is not.
private func familiar<Value>(
    _ make: () throws(Refusal) -> Value
) throws(Unfamiliar) -> Value {
    do {
        return try make()
    } catch {
        throw Unfamiliar()
    }
}
