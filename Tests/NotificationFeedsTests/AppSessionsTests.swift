internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

@testable internal import NotificationFeeds

@Suite("What a subscription said outlives its connection for a while (FG-8, W-16)")
struct AppSessionsTests {
    private let sessions = AppSessions()
    private let number: CenterNumber = 7
    private let asking = DelegateRole(capabilities: .willPresent)

    private func instant(_ seconds: Double) -> ElapsedInstant {
        ElapsedInstant(nanoseconds: Int64(seconds * 1e9))
    }

    @discardableResult
    private func attach(
        _ identifier: String,
        as role: DelegateRole? = nil,
        _ appState: AppState = .foreground,
        at seconds: Double = 0
    ) -> String? {
        var request = SubscriptionRequest(center: .local("org.example"), identifier: identifier)
        request.role = role
        request.appState = appState
        return sessions.attach(request, to: number, at: instant(seconds))
    }

    private func presence(at seconds: Double) -> AppPresence {
        sessions.presence(of: number, at: instant(seconds))
    }

    @Test("A cut keeps the role and the state for 5 seconds, and then neither")
    func keeps() {
        attach("a", as: asking)
        sessions.cut("a", from: number, at: instant(10))
        for seconds in [10, 12, 14.999_999_999] {
            #expect(presence(at: seconds) == .foreground(.asks))
            #expect(sessions.isPrimary("a", of: number, at: instant(seconds)))
            #expect(sessions.said(by: "a", for: number, at: instant(seconds))?.role == asking)
        }
        #expect(presence(at: 15) == .notRunning)
        #expect(!sessions.isPrimary("a", of: number, at: instant(15)))
        #expect(sessions.said(by: "a", for: number, at: instant(15)) == nil)
    }

    @Test("Taken up, it is there until it ends")
    func takenUp() {
        attach("a", as: asking)
        sessions.cut("a", from: number, at: instant(10))
        #expect(attach("a", as: asking, at: 14) == nil)
        #expect(presence(at: 100) == .foreground(.asks))
    }

    @Test("The stream that was lost says nothing of the one that took it up")
    func owners() {
        let (lost, new) = (AppSessions(), AppSessions())
        var request = SubscriptionRequest(center: .local("org.example"), identifier: "a")
        request.appState = .foreground
        for owner in [lost, new] {
            _ = sessions.attach(
                request,
                owner: ObjectIdentifier(owner),
                to: number,
                at: instant(0)
            )
        }
        sessions.cut("a", owner: ObjectIdentifier(lost), from: number, at: instant(0))
        sessions.detach("a", owner: ObjectIdentifier(lost), from: number)
        #expect(presence(at: 100) == .foreground(.none))
        sessions.detach("a", owner: ObjectIdentifier(new), from: number)
        #expect(presence(at: 100) == .notRunning)
    }

    @Test("A primary that came meanwhile takes the role of the one that is kept")
    func anotherPrimary() {
        attach("a", as: asking)
        sessions.cut("a", from: number, at: instant(0))
        #expect(attach("b", as: DelegateRole(capabilities: []), at: 1) == "a")
        #expect(presence(at: 1) == .foreground(.withoutWillPresent))
        let said = sessions.said(by: "a", for: number, at: instant(1))
        #expect(said?.role == nil)
        #expect(said?.appState == .foreground)
    }

    @Test("D-14: An app that was silent is not silent when it comes back later")
    func silence() {
        attach("a", as: asking)
        sessions.noteSilence(of: [number])
        sessions.cut("a", from: number, at: instant(0))
        #expect(presence(at: 1) == .background)
        attach("b", .foreground, at: 6)
        #expect(presence(at: 6) == .foreground(.none))
    }

    @Test("What is kept is bounded: the oldest goes first")
    func bounded() {
        for index in 0..<40 {
            attach("\(index)")
            sessions.cut("\(index)", from: number, at: instant(0))
        }
        let kept = (0..<40).filter {
            sessions.said(by: "\($0)", for: number, at: instant(1)) != nil
        }
        #expect(kept == Array(24..<40))
        sessions.forgetLost(at: instant(5))
        #expect(sessions.said(by: "39", for: number, at: instant(4)) == nil)
    }

    @Test("Only one that has a role or a state has something to keep")
    func speaks() {
        attach("role", as: DelegateRole(capabilities: []), .notRunning)
        attach("state", .suspended)
        attach("neither", .notRunning)
        #expect(sessions.speaks("role", for: number))
        #expect(sessions.speaks("state", for: number))
        #expect(!sessions.speaks("neither", for: number))
        #expect(!sessions.speaks("never", for: number))
    }
}
