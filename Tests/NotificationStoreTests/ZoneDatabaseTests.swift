internal import Testing

@testable internal import NotificationStore

@Suite("The zone database")
struct ZoneDatabaseTests {
    @Test("A name is judged before it is looked up, however long it is", .timeLimit(.minutes(1)))
    func longName() {
        let zones = ZoneDatabase()
        // An empty dictionary hashes nothing.
        #expect(zones.zone("UTC") != nil)
        // Swift hashes one letter with so many marks for minutes.
        let marks = "e" + String(repeating: "\u{323}\u{301}", count: 500_000)
        #expect(zones.zone(marks) == nil)
        #expect(zones.zone("../etc/passwd") == nil)
        #expect(zones.zone("") == nil)
    }

    @Test(
        "What lies beside the zones is none",
        arguments: ["localtime", "posixrules", "posix/Europe/Lisbon", "right/Europe/Lisbon"]
    )
    func strangers(name: String) {
        let zones = ZoneDatabase(directory: "/usr/share/zoneinfo")
        #expect(zones.zone(name) == nil)
        #expect(zones.zone("Europe/Lisbon") != nil)
    }
}
