internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

struct TriggerTextTests {
    @Test("An interval is once or again and again")
    func interval() {
        var trigger = Belfry_V1_Trigger()
        trigger.timeInterval.interval.seconds = 3_600
        #expect(TriggerText.describe(trigger) == "once")
        trigger.repeats = true
        #expect(TriggerText.describe(trigger) == "every 1h")
    }

    @Test("A grid tells its step")
    func grid() {
        var trigger = Belfry_V1_Trigger()
        trigger.repeats = true
        trigger.anchoredInterval.calendarStep.unit = .day
        trigger.anchoredInterval.calendarStep.count = 3
        #expect(TriggerText.describe(trigger) == "every 3 days")
        trigger.anchoredInterval.interval.seconds = 9_000
        #expect(TriggerText.describe(trigger) == "every 2h 30m")
    }

    @Test("A calendar rule has stars for what may be anything")
    func calendar() {
        var trigger = Belfry_V1_Trigger()
        trigger.repeats = true
        trigger.calendar.dateComponents.hour = 8
        #expect(TriggerText.describe(trigger) == "*-*-* 08:00:00, repeating")
        trigger.calendar.dateComponents.weekday = .monday
        trigger.calendar.dateComponents.timeZone = "Europe/Rome"
        #expect(TriggerText.describe(trigger) == "Mon *-*-* 08:00:00 Europe/Rome, repeating")
        trigger.calendar.dateComponents = .init()
        trigger.calendar.dateComponents.minute = 30
        #expect(TriggerText.describe(trigger) == "*-*-* *:30:00, repeating")
        trigger.calendar.dateComponents = .init()
        trigger.calendar.dateComponents.month = 3
        trigger.calendar.dateComponents.weekdayOrdinal = 2
        #expect(TriggerText.describe(trigger) == "*-03-* 00:00:00 …, repeating")
        #expect(TriggerText.describe(Belfry_V1_Trigger()) == "")
    }
}
