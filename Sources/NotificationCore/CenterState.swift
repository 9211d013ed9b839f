internal import Faults

/// The part of a center that every command may change, and the decisions about the center.
///
/// A value that is told the time: it reads no clock and no store. The same decisions at the same
/// instants give the same center; recovery depends on that. The lists of the center are in the
/// store; its state holds only their counts.
package struct CenterState: Hashable, Sendable {
    package let name: CenterName
    /// The person's settings for the app.
    package var settings = NotificationSettings()
    /// The app's badge; 0 shows none.
    package var badge: Int32 = 0
    /// How many requests are pending: they have not fired for the last time.
    package var pendingCount = 0
    /// About how many bytes the pending requests take in the store.
    package var pendingBytes = 0
    /// How many notifications are in the list of delivered notifications.
    package var deliveredCount = 0
    /// How many notifications are snoozed: they left the list and come back.
    package var snoozedCount = 0
    /// How many of the delivered notifications wait for the scheduled summary.
    package var heldCount = 0
    /// When that scheduled summary is due; nil where no notification waits for it.
    package var summaryDue: WallInstant?
    /// How many occurrences are arriving: the app was asked how to present them.
    package var arrivingCount = 0
    /// How many responses of the person the app has not yet completed.
    package var openResponseCount = 0
    /// How many ended callbacks are remembered, so that a second completion is recognized.
    package var endedCallbackCount = 0
    /// The number of the prompt that waits for the person's answer.
    package var openPrompt: PromptNumber?
    /// The number of the newest event; the first is 1.
    package var lastEvent: EventNumber = 0
    /// The number of the oldest event that is kept; ``lastEvent`` + 1 where none is.
    package var firstEvent: EventNumber = 1
    /// The newest event of a notification that came back from a snooze, or the next event where
    /// that one waits for an answer still; 0 where none came back.
    package var newestReturn: EventNumber = 0
    /// Whether a notification has ever had a replacement key of its own (ADD-12).
    package var hasUsedKeys = false
    /// About how many bytes the kept events take when a subscriber is told them.
    package var eventBytes = 0
    /// How many of the ``eventBytes`` tell of settings, which a person may change again and again
    /// and which count for no caller (W-11).
    package var settingsBytes = 0
    package var categories = CategoryTotals()
    /// About how many bytes the center's other rows take that are counted where they are written.
    package var rowBytes = 0
    /// How many of the ``storeBytes`` are charged to the caller that registered the app.
    package var countedBytes = 0
    /// The number of the newest delivery; the first is 1.
    package var lastDelivery: DeliveryNumber = 0
    /// When the next kept row (an event, for example) becomes too old; nil where nothing is kept.
    package var expiry: ElapsedInstant?
    /// The notifications that are on the screen without an entry in the list, or were a short time
    /// ago; the oldest first.
    package var banners: [ShownBanner] = []

    /// Makes the center of an app that just registered.
    package init(name: CenterName) {
        self.name = name
    }

    /// Makes the center of an app that was registered before, and unregistered.
    ///
    /// No number of an event or a delivery comes twice under a center's name (W-12), and a caller
    /// that resumes behind the last event of the earlier app is told that events are missing.
    ///
    /// `greatest` is the ``greatestNumber`` that centers of this name had.
    package init(name: CenterName, behind greatest: UInt64) {
        self.name = name
        lastEvent = EventNumber(rawValue: greatest + 1)
        firstEvent = lastEvent.next
        lastDelivery = DeliveryNumber(rawValue: greatest + 1)
    }
}

extension CenterState {
    /// About how many bytes the pending requests, the kept events and the other rows take that
    /// count for the app's caller.
    package var storeBytes: Int { pendingBytes + eventBytes - settingsBytes + rowBytes }

    /// The greatest number of an event or a delivery so far.
    package var greatestNumber: UInt64 { max(lastEvent.rawValue, lastDelivery.rawValue) }

    /// Counts a request that is now pending, by its ``NotificationRequest/storedByteCount``.
    package mutating func countPending(_ byteCount: Int) {
        pendingCount += 1
        pendingBytes += byteCount
    }

    /// Counts a request that is no longer pending.
    package mutating func uncountPending(_ byteCount: Int) {
        pendingCount -= 1
        if Fault.firedBytesStillCount.isPlanted { return }
        pendingBytes -= byteCount
    }

    /// Checks whether `add` is allowed now: steps 2 and 7 of §6.2.
    ///
    /// `replacesPending` says whether the new request replaces a pending one, so that the count
    /// stays. `pendingLimit` is how many pending requests the center may hold.
    ///
    /// - Throws: ``Refusal/notAllowed(_:)`` or ``Refusal/pendingLimit(_:)``.
    package func checkAdd(
        trigger: Trigger?,
        replacesPending: Bool,
        pendingLimit: Int
    ) throws(Refusal) {
        try checkAllowed()
        guard trigger == nil || replacesPending || pendingCount < pendingLimit else {
            throw .pendingLimit(pendingLimit)
        }
    }

    /// Checks whether the app may notify at all: step 2 of §6.2.
    ///
    /// - Throws: ``Refusal/notAllowed(_:)``.
    package func checkAllowed() throws(Refusal) {
        guard let missing = settings.missingPermission else { return }
        throw .notAllowed(missing == .notAsked && openPrompt != nil ? .notAnswered : missing)
    }

    /// Decides the delivery of `content` now: steps 2 and 6-10 of §8.
    ///
    /// - Parameters:
    ///   - content: What is delivered.
    ///   - device: What the device is doing.
    ///   - presence: Whether the app is in front, and how its delegate answers.
    /// - Returns: The outcome; ``Outcome/asks`` where the app has to be asked first.
    package func outcome(
        of content: Boxed<ContentHead>,
        on device: Boxed<DeviceState> = Boxed(DeviceState()),
        while presence: AppPresence = .notRunning
    ) -> Outcome {
        guard settings.authorizationStatus.allowsNotifications else {
            return .suppressed(.notAuthorized)
        }
        if case .foreground(let delegate) = presence,
            content.value.foregroundPresentation ?? delegate.standingAnswer == []
        {
            return .suppressed(.notPresented)
        }
        switch arrival(of: content, on: device).step(presence: presence) {
        case .ask: return .asks
        case .settled(let decision): return .delivered(Presentation(decision))
        }
    }

    /// Decides the delivery of `content` once the app said how to present it (FG-3).
    ///
    /// - Parameters:
    ///   - content: What is delivered.
    ///   - device: What the device is doing.
    ///   - options: The app's answer; with no option the app presents the notification itself
    ///     (FG-6).
    /// - Returns: The outcome, without the effects that the person does not allow.
    package func outcome(
        of content: Boxed<ContentHead>,
        on device: Boxed<DeviceState> = Boxed(DeviceState()),
        answered options: PresentationOptions
    ) -> Outcome {
        guard settings.authorizationStatus.allowsNotifications else {
            return .suppressed(.notAuthorized)
        }
        guard !options.isEmpty else { return .suppressed(.notPresented) }
        let decision = arrival(of: content, on: device).decision(afterAnswer: options)
        return .delivered(Presentation(decision))
    }

    /// Decides the delivery of `content` where the app did not answer in time (D-14).
    package func outcomeAfterDeadline(
        of content: Boxed<ContentHead>,
        on device: Boxed<DeviceState> = Boxed(DeviceState()),
        profile: Profile = .server
    ) -> Outcome {
        guard settings.authorizationStatus.allowsNotifications else {
            return .suppressed(.notAuthorized)
        }
        let decision = arrival(of: content, on: device).decisionAfterMissedDeadline(profile)
        return .delivered(Presentation(decision))
    }

    private func arrival(
        of content: Boxed<ContentHead>,
        on device: Boxed<DeviceState>
    ) -> Arrival {
        Arrival(content: content, app: name.app, settings: settings, device: device)
    }

    /// Decides the outcome of a request that was due at `due`.
    ///
    /// - Parameters:
    ///   - request: The due request; its trigger is not nil.
    ///   - base: The instant at which it was accepted.
    ///   - due: When it was due; not after `now`.
    ///   - occurrenceCount: How many occurrences it has had before.
    ///   - now: The instant of the batch.
    ///   - zone: The rules of the trigger's time zone.
    ///   - device: What the device is doing.
    ///   - presence: Whether the app is in front, and how its delegate answers.
    /// - Returns: The outcome, the lateness, and when it fires next.
    package func fire(
        _ request: RequestHead,
        base: ElapsedInstant,
        due: Due,
        occurrenceCount: Int64 = 0,
        now: Now,
        in zone: ZoneRules = .utc,
        on device: Boxed<DeviceState> = Boxed(DeviceState()),
        while presence: AppPresence = .notRunning
    ) -> Firing {
        let late = due.nanosecondsLate(at: now)
        precondition(
            late >= 0 || Fault.earlyFire.isPlanted,
            "a request fired before it was due"
        )
        guard let trigger = request.trigger else {
            preconditionFailure("a request without a trigger was pending")
        }
        let passed = trigger.passed(from: due, to: now, in: zone, after: occurrenceCount)
        let latestLate = passed.latest.nanosecondsLate(at: now)
        let isMissed =
            request.expiresAfterNanoseconds.map { latestLate > $0 }
            ?? (!trigger.repeats && late > Limits.latenessNanoseconds)
        // Count each occurrence, also those that one late firing represents (CAL-11).
        let earlier = Fault.collapsedNotCounted.isPlanted ? 0 : passed.earlierCount
        let count = occurrenceCount.saturatingAdd(earlier).saturatingAdd(1)
        let goesOn = trigger.repeats && trigger.maxOccurrences.map { count < $0 } ?? true
        var next = goesOn ? trigger.nextFire(base: base, following: passed.latest, in: zone) : nil
        if Fault.lateOccurrenceComesTwice.isPlanted, goesOn {
            next = trigger.nextFire(base: base, after: now, in: zone)
        }
        return Firing(
            outcome: isMissed
                ? .missed : outcome(of: request.content, on: device, while: presence),
            scheduled: passed.latest,
            lateByNanoseconds: Fault.collapsedLateAsOldest.isPlanted ? late : latestLate,
            collapsedCount: passed.earlierCount,
            occurrenceCount: count,
            nextFire: next,
            searchSteps: passed.searchSteps
        )
    }

    /// Sets the badge as the app asks (B-3).
    ///
    /// - Returns: Whether the badge changed.
    /// - Throws: ``Refusal/badgeInvalid(_:)`` or ``Refusal/notAllowed(_:)``.
    package mutating func setBadgeCount(_ count: Int64) throws(Refusal) -> Bool {
        guard let count = Int32(exactly: count), count >= 0 else { throw .badgeInvalid([.count]) }
        try checkAllowed()
        guard settings.badge == .enabled else {
            throw .notAllowed(.setting(.badgeSetting, settings.badge))
        }
        return setBadge(count)
    }

    private mutating func setBadge(_ count: Int32) -> Bool {
        defer { badge = count }
        return badge != count
    }
}
