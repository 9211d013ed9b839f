internal import Testing

@testable internal import belfry

struct DurationTextTests {
    @Test(
        "A duration is read as people write it",
        arguments: [
            ("5s", .seconds(5)), ("10m", .seconds(600)), ("1h30m", .seconds(5_400)),
            ("p1dt2h", .seconds(93_600)), ("pt90m", .seconds(5_400)), ("p2w", .seconds(1_209_600)),
            ("PT1.5H", .seconds(5_400)), ("pt0,5s", .milliseconds(500)), ("p1d", .seconds(86_400)),
            ("2d", .seconds(172_800)), ("1w1d", .seconds(691_200)), ("250ms", .milliseconds(250)),
            ("1s5ms", .milliseconds(1_005)), ("0s", .zero), ("90m", .seconds(5_400)),
            ("1.5h", .seconds(5_400)), ("10min", .seconds(600)), ("10 minutes", .seconds(600)),
            ("1h 30 min", .seconds(5_400)), ("2 days", .seconds(172_800)), ("5 s", .seconds(5)),
            ("0.25s", .milliseconds(250)), ("0.000000001s", .nanoseconds(1)),
        ] as [(String, Duration)]
    )
    func parse(text: String, duration: Duration) {
        #expect(DurationText.parse(text) == duration)
    }

    @Test(
        "What is not a duration is refused",
        arguments: [
            "", "5", "s", "5  s", "-5s", "1.h", ".5h", "1.5.5h", "5x", "30m1h", "1h1hour", "5m ",
            "5S", "P1M", "PT", "P", "PT1MS", "P1H", "P1DT", "P 1D", "9999999999999w", "2000000w",
            "١s", "0.0000000001s", " 5s", "1 month",
        ]
    )
    func refuse(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(
        "A duration is written with its two largest units",
        arguments: [
            (.zero, "0s"), (.seconds(5), "5s"), (.seconds(65), "1m 5s"), (.seconds(3_600), "1h"),
            (.seconds(3_605), "1h"), (.seconds(5_400), "1h 30m"), (.seconds(90_000), "1d 1h"),
            (.seconds(700_000), "1w 1d"), (.milliseconds(1_900), "1s"),
            (.milliseconds(250), "250ms"), (.microseconds(1_230), "1.2ms"),
            (.microseconds(40), "40us"), (.nanoseconds(40), "<1us"), (.seconds(-65), "-1m 5s"),
        ] as [(Duration, String)]
    )
    func format(duration: Duration, text: String) {
        #expect(DurationText.format(duration) == text)
    }
}
