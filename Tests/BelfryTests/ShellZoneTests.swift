internal import Foundation
internal import Glibc
internal import Testing

@testable internal import belfry

struct ShellZoneTests {
    private static let database = "/usr/share/zoneinfo"

    /// The names of the machine's zone database, as a server takes them.
    private static let names: [String] = {
        let strangers = ["localtime", "posix", "posixrules", "right"]
        let found = FileManager.default.enumerator(atPath: database)?.compactMap { $0 as? String }
        return (found ?? []).sorted().filter { name in
            guard !strangers.contains(where: { name == $0 || name.hasPrefix($0 + "/") }) else {
                return false
            }
            let file = FileHandle(forReadingAtPath: "\(database)/\(name)")
            return (try? file?.read(upToCount: 4)) == Data("TZif".utf8)
        }
    }()

    @Test("Every zone of the database is known, by its name")
    func database() throws {
        #expect(Self.names.count > 300)
        for name in Self.names {
            let zone = try TriggerOptions.parseZone(name)
            #expect(zone.name == name || zone.secondsFromGMT() == 0, "\(name)")
            for text in [name, ":" + name, ":\(Self.database)/\(name)"] {
                let shell = ShellZone(environment: ["TZ": text])
                #expect(shell.zone == zone && shell.kind == .named, "\(text)")
            }
        }
    }

    @Test(
        "A name that is not in the database is none here",
        arguments: [
            "", "PST", "IST", "JST", "GMT+3", "GMT-0530", "Mars/Olympus", "asia/kolkata",
            "localtime",
            "IST-5:30", ":Asia/Kolkata", "UTC ", "-5",
        ]
    )
    func unknown(name: String) {
        #expect(!Self.names.contains(name))
        #expect(throws: TextProblem.self) { try TriggerOptions.parseZone(name) }
    }

    @Test(
        "TZ is read as the C library reads it",
        arguments: [
            ("IST-5:30", 19_800, .distance), ("<+0530>-5:30", 19_800, .distance),
            ("EST5", -18_000, .distance), ("ABC+3:15:30", -11_730, .distance),
            ("UTC0", 0, .named), ("", 0, .named), (":", 0, .named), ("Japan", 32_400, .named),
            ("CET-1CEST", 0, .unknown), ("Mars/Olympus", 0, .unknown), ("<IST-5:30", 0, .unknown),
            ("IST", 0, .unknown), ("IST-25", 0, .unknown), ("IST-5:60", 0, .unknown),
            ("IS-5", 0, .unknown), ("5", 0, .unknown), ("IST--5", 0, .unknown), ("-", 0, .unknown),
        ] as [(String, Int, ShellZone.Kind)]
    )
    func shell(text: String, seconds: Int, kind: ShellZone.Kind) {
        let shell = ShellZone(environment: ["TZ": text])
        #expect(shell.zone.secondsFromGMT() == seconds)
        #expect(shell.kind == kind)
    }

    @Test("Without TZ it is the machine's")
    func machine() {
        #expect(ShellZone(environment: [:]).zone == .current)
    }
}
