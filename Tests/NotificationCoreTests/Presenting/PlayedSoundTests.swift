internal import NotificationCore
internal import Testing

private typealias Case = ArrivalCase<PlayedSound?>

@Suite("Sounds (§13)")
struct PlayedSoundTests {
    @Test(
        "What plays",
        arguments: [
            Case("13 default", .standard) { $0.content.sound = Sound() },
            Case("13 named", .named("ding")) { $0.content.sound = Sound(name: "ding") },
            Case("13 default critical", .critical(name: "", volume: nil)) {
                $0.content.sound = Sound(isCritical: true)
            },
            Case("13 default critical with volume", .critical(name: "", volume: 0.25)) {
                $0.content.sound = Sound(isCritical: true, volume: 0.25)
            },
            Case("13 named critical with volume", .critical(name: "ding", volume: 0)) {
                $0.content.sound = Sound(name: "ding", isCritical: true, volume: 0)
            },
            Case("13 ringtone", .ringtone(name: "")) {
                $0.content.sound = Sound(kind: .ringtone)
            },
            Case("13 named ringtone", .ringtone(name: "ring")) {
                $0.content.sound = Sound(kind: .ringtone, name: "ring")
            },
            Case("13 none", nil) { $0.content.sound = nil },
            Case("INT-3 the level makes it critical", .critical(name: "ding", volume: nil)) {
                $0.content.sound = Sound(name: "ding")
                $0.content.interruptionLevel = .critical
            },
            Case("2.10 critical without a sound", .critical(name: "", volume: nil)) {
                $0.content.sound = nil
                $0.content.interruptionLevel = .critical
            },
            Case("INT-3 time sensitive does not make it critical", .standard) {
                $0.content.interruptionLevel = .timeSensitive
            },
            Case("SND-3 critical not allowed", .standard) {
                $0.content.sound = Sound(isCritical: true, volume: 1)
                $0.settings.criticalAlert = .disabled
            },
            Case("SND-3 critical not entitled", .named("ding")) {
                $0.content.sound = Sound(name: "ding", isCritical: true, volume: 1)
                $0.settings.criticalAlert = .notSupported
            },
            Case("SND-3 critical ringtone not allowed", .ringtone(name: "ring")) {
                $0.content.sound = Sound(kind: .ringtone, name: "ring", isCritical: true)
                $0.settings.criticalAlert = .disabled
            },
            Case("D-25 critical level not allowed, without a sound", nil) {
                $0.content.sound = nil
                $0.content.interruptionLevel = .critical
                $0.settings.criticalAlert = .disabled
            },
            Case("16.1 passive is silent", nil) { $0.content.interruptionLevel = .passive },
            Case("16.1 passive is silent, critical sound too", nil) {
                $0.content.interruptionLevel = .passive
                $0.content.sound = Sound(isCritical: true)
            },
            Case("8 sounds off, critical too", nil) {
                $0.content.interruptionLevel = .critical
                $0.settings.sound = .disabled
            },
        ]
    )
    func plays(row: ArrivalCase<PlayedSound?>) {
        let decision = row.arrival.decision()
        #expect(decision.sound == row.expected)
        #expect(decision.options.contains(.sound) == (row.expected != nil))
    }

    @Test(
        "Mute and Do Not Disturb: only what is critical plays",
        arguments: [
            Case("16.1 mute: active", nil) { $0.device.isMuted = true },
            Case("16.1 mute: time sensitive", nil) {
                $0.device.isMuted = true
                $0.content.interruptionLevel = .timeSensitive
            },
            Case("16.1 mute: critical level", .critical(name: "", volume: nil)) {
                $0.device.isMuted = true
                $0.content.interruptionLevel = .critical
            },
            Case("INT-3 mute: critical sound", .critical(name: "", volume: nil)) {
                $0.device.isMuted = true
                $0.content.sound = Sound(isCritical: true)
            },
            Case("SND-3 mute: critical sound not allowed", nil) {
                $0.device.isMuted = true
                $0.content.sound = Sound(isCritical: true)
                $0.settings.criticalAlert = .disabled
            },
            Case("INT-3 Do Not Disturb: critical sound", .critical(name: "", volume: nil)) {
                $0.device.focus = Focus()
                $0.content.sound = Sound(isCritical: true)
            },
            Case("SND-3 Do Not Disturb: critical sound not allowed", nil) {
                $0.device.focus = Focus()
                $0.content.sound = Sound(isCritical: true)
                $0.settings.criticalAlert = .disabled
            },
            Case("INT-3 Do Not Disturb: any other sound", nil) { $0.device.focus = Focus() },
        ]
    )
    func overrides(row: ArrivalCase<PlayedSound?>) {
        #expect(row.arrival.decision().sound == row.expected)
    }

    @Test("INT-3: A critical sound passes a Focus by itself: the text is listed, the screen sleeps")
    func soundAlone() {
        var arrival = Arrival.withAllEffects
        arrival.content.sound = Sound(isCritical: true)
        arrival.device.focus = Focus()
        let decision = arrival.decision()
        #expect(decision.mode == .quiet)
        #expect(decision.options == [.badge, .list, .sound])
        #expect(!decision.wakesScreen)
    }

    @Test("A muted device vibrates where it would have sounded")
    func vibrates() {
        var arrival = Arrival.withAllEffects
        #expect(!arrival.decision().vibrates)
        arrival.device.isMuted = true
        let decision = arrival.decision()
        #expect(decision.vibrates && decision.wakesScreen)
        #expect(decision.options == [.badge, .list, .banner])
        #expect(!arrival.decision(afterAnswer: [.banner]).vibrates)
        arrival.content.interruptionLevel = .critical
        #expect(!arrival.decision().vibrates)
        arrival.content.interruptionLevel = .active
        arrival.content.sound = nil
        #expect(!arrival.decision().vibrates)
    }

    @Test(
        "SND-2: Where the named sound is missing, the default of its sort plays",
        arguments: [
            (PlayedSound.standard, "", PlayedSound.standard), (.named("ding"), "ding", .standard),
            (
                .critical(name: "ding", volume: 0.5), "ding", .critical(name: "", volume: 0.5)
            ),
            (.ringtone(name: "ring"), "ring", .ringtone(name: "")),
        ]
    )
    func missing(sound: PlayedSound, name: String, expected: PlayedSound) {
        #expect(sound.name == name)
        #expect(sound.withoutName == expected)
        #expect(sound.isCritical == expected.isCritical)
        #expect(sound.played(with: nil) == expected)
    }

    @Test(
        "SND-2: A sound of 30 s or more gives way to the default of its sort",
        arguments: [(1, false), (29_999, false), (30_000, true), (60_000, true)] as [(Int64, Bool)]
    )
    func tooLong(milliseconds: Int64, givesWay: Bool) {
        let facts = SoundFacts(codec: .ima4, durationNanoseconds: milliseconds * 1_000_000)
        for sound in [
            PlayedSound.named("a"), .ringtone(name: "a"), .critical(name: "a", volume: 1),
        ] {
            #expect(sound.played(with: facts) == (givesWay ? sound.withoutName : sound))
        }
        #expect(PlayedSound.standard.played(with: facts) == .standard)
    }
}
