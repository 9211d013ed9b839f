internal import BelfryLocking
internal import NotificationCore
internal import NotificationStore

/// The extensions that serve: the newest call of each content extension, and the newest call of
/// each app as a service extension (NSE-8, NCE-1).
///
/// A call outlives its connection by ``AppSessions/keptNanoseconds``, so that an extension that
/// comes back finds its open questions. Nothing of it is durable. From any thread.
final class ExtensionSessions: ExtensionPresenceSource {
    private struct Serving {
        var request: ServingRequest
        var owner: ObjectIdentifier?
        /// When the call is forgotten; set once its connection is cut.
        var keptUntil: ElapsedInstant?

        var name: String { request.extension.identifier }
        var kind: AppExtension.Kind { request.extension.kind }

        func isThere(at now: ElapsedInstant) -> Bool { keptUntil.map { now < $0 } ?? true }

        func answers(_ kind: AppExtension.Kind, named name: String) -> Bool {
            self.kind == kind && (kind == .service || self.name == name)
        }
    }

    private struct State {
        // Bounded: names of apps, which were validated.
        var servings: [String: [Serving]] = [:]
        /// The apps that have a cut call.
        var cut: Set<String> = []

        mutating func set(_ servings: [Serving], of app: String) {
            self.servings[app] = servings.isEmpty ? nil : servings
            if !servings.contains(where: { $0.keptUntil != nil }) { cut.remove(app) }
        }
    }

    private let state = Guarded(State())

    /// Adds a call that serves, in place of the older call of the same extension.
    ///
    /// - Returns: The identifier of the call that is replaced.
    /// - Throws: That another extension of the app shows one of the categories, or that too many
    ///   extensions of the app serve.
    func attach(
        _ request: ServingRequest,
        owner: ObjectIdentifier? = nil,
        at now: ElapsedInstant
    ) throws(Refusal) -> String? {
        let result = state.withLock { state -> Result<String?, Refusal> in
            let item = request.extension
            var servings = (state.servings[request.app] ?? []).filter { $0.isThere(at: now) }
            let older = servings.firstIndex { serving in
                serving.name == item.identifier
                    || serving.kind == .service && item.kind == .service
            }
            let replaced = older.map { servings.remove(at: $0).request.identifier }
            if let refusal = Self.refusal(of: item, beside: servings) { return .failure(refusal) }
            servings.append(Serving(request: request, owner: owner))
            state.set(servings, of: request.app)
            return .success(replaced)
        }
        return try result.get()
    }

    private static func refusal(of item: AppExtension, beside others: [Serving]) -> Refusal? {
        guard others.count < Limits.appExtensions else {
            return .tooManyServing(Limits.appExtensions)
        }
        let taken = Set(others.flatMap { $0.request.extension.categories.map { ExactText($0) } })
        let index = item.categories.firstIndex { taken.contains(ExactText($0)) }
        return index.map { .extensionCategoryTaken(([.categories] as FieldPath)[$0]) }
    }

    /// Forgets a call that has ended.
    ///
    /// - Returns: Whether the call was still the one that serves, so that nobody does now.
    func detach(_ request: ServingRequest, owner: ObjectIdentifier? = nil) -> Bool {
        state.withLock { state in
            guard var servings = state.servings[request.app] else { return false }
            let count = servings.count
            servings.removeAll {
                $0.request.identifier == request.identifier && $0.owner == owner
            }
            state.set(servings, of: request.app)
            return servings.count < count
        }
    }

    /// Keeps a call for a while after its connection was cut.
    func cut(
        _ request: ServingRequest,
        owner: ObjectIdentifier? = nil,
        at now: ElapsedInstant
    ) {
        state.withLock { state in
            guard var servings = state.servings[request.app] else { return }
            let index = servings.firstIndex {
                $0.request.identifier == request.identifier && $0.owner == owner
            }
            guard let index else { return }
            servings[index].keptUntil = now.advanced(byNanoseconds: AppSessions.keptNanoseconds)
            state.cut.insert(request.app)
            state.set(servings, of: request.app)
        }
    }

    /// Forgets the calls that were cut and whose extensions did not come back in time.
    ///
    /// - Returns: The apps whose extensions these were.
    func forgetLost(at now: ElapsedInstant) -> [String] {
        state.withLock { state in
            state.cut.filter { app in
                let servings = state.servings[app] ?? []
                let there = servings.filter { $0.isThere(at: now) }
                guard there.count < servings.count else { return false }
                state.set(there, of: app)
                return true
            }
        }
    }

    /// The content extension that shows a category of an app (NCE-1); nil where none serves.
    func contentExtension(
        of app: String,
        showing category: String,
        at now: ElapsedInstant
    ) -> AppExtension? {
        state.withLock { state in
            state.servings[app]?.first {
                $0.isThere(at: now) && $0.request.extension.categories.containsExactly(category)
            }?.request.extension
        }
    }

    // MARK: From the store

    func isServing(
        _ kind: AppExtension.Kind,
        named name: String,
        for app: String,
        at now: ElapsedInstant
    ) -> Bool {
        state.withLock { state in
            state.servings[app]?.contains { $0.isThere(at: now) && $0.answers(kind, named: name) }
                ?? false
        }
    }

    func isConnected(_ kind: AppExtension.Kind, named name: String, for app: String) -> Bool {
        state.withLock { state in
            state.servings[app]?.contains { $0.keptUntil == nil && $0.answers(kind, named: name) }
                ?? false
        }
    }

    func isServing(
        _ serving: String,
        as kind: AppExtension.Kind,
        for app: String,
        at now: ElapsedInstant
    ) -> Bool {
        state.withLock { state in
            state.servings[app]?.contains {
                $0.isThere(at: now) && $0.kind == kind && $0.request.identifier == serving
            } ?? false
        }
    }
}
