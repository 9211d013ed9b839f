package import NotificationCore
internal import NotificationFeeds
package import NotificationStore

extension TestStore {
    /// Registers a center's app, with the person's grant.
    @discardableResult
    package func authorize(
        _ options: AuthorizationOptions = [.alert, .sound, .badge],
        for center: CenterName? = nil,
        answer: PromptAnswer = .grant,
        by registrant: Registrant? = nil
    ) async throws -> NotificationSettings {
        try await result {
            $0.requestAuthorization(
                options,
                for: center ?? self.center,
                answer: answer,
                by: registrant,
                completion: $1
            )
        }.get().settings
    }

    @discardableResult
    package func add(
        _ request: NotificationRequest,
        to center: CenterName? = nil
    ) async throws -> AddReply {
        try await result { $0.add(request, to: center ?? self.center, completion: $1) }.get()
    }

    /// Adds requests as one batch.
    @discardableResult
    package func addBatch(
        _ requests: [Result<NotificationRequest, Refusal>],
        to center: CenterName? = nil
    ) async throws -> [Result<AddReply, Refusal>] {
        try await result { $0.addBatch(requests, to: center ?? self.center, completion: $1) }.get()
    }

    /// Adds requests as one batch; none may be refused.
    package func addAll(
        _ requests: [NotificationRequest],
        to center: CenterName? = nil
    ) async throws {
        for result in try await addBatch(requests.map { .success($0) }, to: center) {
            _ = try result.get()
        }
    }

    /// Registers a center for pushes, and gives the token.
    package func registerForPushes(
        in environment: PushEnvironment? = nil,
        of center: CenterName? = nil
    ) async throws -> DeviceToken {
        try await result {
            $0.registerForPushes(center ?? self.center, in: environment, completion: $1)
        }.get().token
    }

    /// Takes pending requests away, and gives those that were pending.
    @discardableResult
    package func removePending(_ identifiers: [String]) async throws -> [String] {
        try await result { $0.removePending(identifiers, from: center, completion: $1) }.get()
    }

    /// Takes notifications away, and gives those that were in the delivered list.
    @discardableResult
    package func removeDelivered(_ identifiers: [String]) async throws -> [String] {
        try await result { $0.removeDelivered(identifiers, from: center, completion: $1) }.get()
    }

    @discardableResult
    package func removeAllPending() async throws -> Int {
        try await result { $0.removeAllPending(from: center, completion: $1) }.get()
    }

    @discardableResult
    package func removeAllDelivered() async throws -> Int {
        try await result { $0.removeAllDelivered(from: center, completion: $1) }.get()
    }

    @discardableResult
    package func setBadge(_ count: Int64) async throws -> Int32 {
        try await result { $0.setBadgeCount(count, of: center, completion: $1) }.get()
    }

    /// Completes callbacks, as the app that a subscription speaks for.
    ///
    /// - Returns: Why each was refused; nil where it was not.
    @discardableResult
    package func complete(
        _ callbacks: [CallbackNumber],
        with answer: CallbackAnswer,
        through subscription: TestSubscription
    ) async throws -> [Refusal?] {
        let completions = callbacks.map { callback in
            Result<CallbackCompletion, Refusal>.success(
                CallbackCompletion(callback: callback, answer: answer)
            )
        }
        let reply = try await result {
            $0.complete(
                completions,
                of: center,
                through: subscription.feed.identifier,
                completion: $1
            )
        }.get()
        return reply.results.map { result in
            if case .failure(let refusal) = result { refusal } else { nil }
        }
    }

    /// Changes the state of a device.
    @discardableResult
    package func updateDevice(
        _ device: String = CenterName.localDevice,
        _ change: @escaping @Sendable (inout DeviceState) -> Void
    ) async throws -> DeviceState {
        try await result { $0.updateDeviceState(of: device, change, completion: $1) }.get()
    }

    /// Names a notification of ``center``.
    package func reference(
        _ identifier: String,
        _ delivery: DeliveryNumber,
        of center: CenterName? = nil
    ) -> NotificationReference {
        NotificationReference(
            center: center ?? self.center,
            identifier: identifier,
            delivery: delivery
        )
    }

    /// Acts on a notification as the person.
    @discardableResult
    package func respond(
        _ act: PersonAct,
        to target: NotificationReference
    ) async throws -> RespondOutcome {
        try await result { $0.respond(act, to: .notification(target), completion: $1) }.get()
    }

    /// Dismisses notifications as the person.
    @discardableResult
    package func dismiss(_ target: DismissTarget) async throws -> Dismissal {
        try await result { $0.dismiss(target, completion: $1) }.get()
    }

    @discardableResult
    package func backup(
        progress: @escaping @Sendable (BackupProgress) -> Void = { _ in }
    ) async throws -> Backup {
        let backup = Pending<Backup>()
        _ = try store.backup(progress: progress, completion: backup.complete)
        return try await backup.value.get()
    }

    @discardableResult
    package func advance(
        _ target: ClockTarget,
        passesCallbacks: Bool = false
    ) async throws -> ClockAdvance {
        try await result {
            $0.advanceClock(target, passesCallbacks: passesCallbacks, completion: $1)
        }.get()
    }

    /// Lets time pass as while the server is down.
    @discardableResult
    package func suspend(by duration: Duration) async throws -> ClockAdvance {
        try await result { $0.suspend(by: duration.nanoseconds, completion: $1) }.get()
    }

    @discardableResult
    package func setClock(to instant: WallInstant) async throws -> Now {
        try await result { $0.setClock(to: instant, completion: $1) }.get()
    }

    /// Moves the manual clock by `duration`.
    @discardableResult
    package func advance(
        by duration: Duration,
        passesCallbacks: Bool = false
    ) async throws -> ClockAdvance {
        try await advance(
            .by(nanoseconds: duration.nanoseconds),
            passesCallbacks: passesCallbacks
        )
    }
}

extension TestStore {
    /// Reports fixes of a device, and gives how many requests fired.
    @discardableResult
    package func report(
        _ fixes: [LocationFix],
        on device: String = CenterName.localDevice
    ) async throws -> UInt64 {
        try await result { $0.reportLocation(fixes, on: device, completion: $1) }.get()
    }

    /// Reports sightings of beacons, and gives how many requests fired.
    @discardableResult
    package func report(
        sightings: [BeaconSighting],
        on device: String = CenterName.localDevice
    ) async throws -> UInt64 {
        try await result { $0.reportBeacons(sightings, on: device, completion: $1) }.get()
    }

    /// Lets an app know the location, or not.
    package func allowLocation(
        _ permission: LocationPermission = .authorizedWhenInUse,
        for center: CenterName? = nil
    ) async throws {
        _ = try await result {
            $0.updateSettings(
                SettingsChange(),
                location: permission,
                of: center ?? self.center,
                completion: $1
            )
        }.get()
    }
}
