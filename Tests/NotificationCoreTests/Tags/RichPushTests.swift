internal import NotificationCore
internal import Testing

@Suite("The rich push that a notification names (§20.2)")
struct RichPushTests {
    @Test(
        "Its number is that of the last key, as a text or a number",
        arguments: [
            (#"{}"#, nil), (#"{"richId":"7"}"#, 7), (#"{"richId":7}"#, 7),
            (#"{"richId":"7","richId":"8"}"#, 8), (#"{"richId":"7","richId":8}"#, 8),
            (#"{"richId":7,"a":"richId"}"#, 7), (#"{"a":{"richId":"8"},"richId": "7" }"#, 7),
            (#"{"richId":"7","richId":"x"}"#, nil), (#"{"richId":"7x"}"#, nil),
            (#"{"richId":"18446744073709551615"}"#, .max),
            (#"{"richId":"18446744073709551616"}"#, nil), (#"{"richId":""}"#, nil),
        ] as [(String, UInt64?)]
    )
    func number(userInfo: String, number: UInt64?) {
        #expect(RichPush.numberNamed(in: userInfo)?.rawValue == number)
    }
}
