internal import Foundation
internal import NotificationCore

/// Answers each line of the standard input, a question about a rule, with a line of dates.
///
/// Other programs compare the core with other libraries through it: millions of dates, without a
/// server. A question has nine fields with tabs between them: "rule" or "cron", its text, start,
/// added and excluded dates with commas between them (as RFC 5545 writes them, and each may be
/// empty), the zone, the instants after which and until which dates are wanted, in seconds since
/// 1970, and how many. The answer has the dates in seconds since 1970 and, after a tab, nothing or
/// "+" where there are more, or "!" and the refusal.
@main
enum RuleDates {
    static func main() throws {
        var zones: [String: ZoneRules] = [:]
        while let line = readLine() {
            let question = try Question(line)
            if zones[question.zone] == nil {
                let file = URL(filePath: "/usr/share/zoneinfo/\(question.zone)")
                zones[question.zone] = try ZoneRules(tzif: Array(Data(contentsOf: file)))
            }
            guard let zone = zones[question.zone] else { continue }
            do { print(try question.answer(in: zone)) } catch { print("!\(error)") }
        }
    }
}

/// A question that is written wrong.
private struct WrongQuestion: Error {
    let line: String
}

/// A line of the standard input.
private struct Question {
    let text: RecurrenceTrigger.Text?
    let start: Int?
    let added: [RecurrenceMoment]
    let excluded: [RecurrenceMoment]
    let zone: String
    let after: Int
    let until: Int
    let count: Int

    init(_ line: String) throws {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 9, let after = Int(fields[6]), let until = Int(fields[7]),
            let count = Int(fields[8])
        else { throw WrongQuestion(line: line) }
        func moments(_ list: String) throws -> [RecurrenceMoment] {
            try list.split(separator: ",").map {
                guard let moment = RecurrenceMoment(String($0)) else {
                    throw WrongQuestion(line: line)
                }
                return moment
            }
        }
        switch fields[0] {
        case _ where fields[1].isEmpty: text = nil
        case "rule": text = .rule(fields[1])
        case "cron": text = .cron(fields[1])
        default: throw WrongQuestion(line: line)
        }
        if case .local(let local)? = try moments(fields[2]).first {
            start = local
        } else {
            start = nil
        }
        added = try moments(fields[3])
        excluded = try moments(fields[4])
        zone = fields[5]
        (self.after, self.until, self.count) = (after, until, count)
    }

    func answer(in zone: ZoneRules) throws -> String {
        let trigger = try RecurrenceTrigger(
            text: text,
            start: start,
            addedDates: added,
            excludedDates: excluded,
            repeats: true
        )
        var seconds: [String] = []
        var now = Self.instant(after)
        let end = Self.instant(until)
        while let next = trigger.nextFire(after: now, in: zone), next <= end {
            guard seconds.count < count else { return seconds.joined(separator: " ") + "\t+" }
            seconds.append("\(next.nanoseconds / .nanosecondsPerSecond)")
            now = next
        }
        return seconds.joined(separator: " ") + "\t"
    }

    private static func instant(_ second: Int) -> WallInstant {
        WallInstant(nanoseconds: Int64(second) * .nanosecondsPerSecond)
    }
}
