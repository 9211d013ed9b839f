extension Belfry_V1_Condition {
    /// The condition's name, such as `STORE_FULL`.
    package var name: String {
        switch self {
        case .clockNotSet: "CLOCK_NOT_SET"
        case .storeFull: "STORE_FULL"
        case .dueWorkWaits: "DUE_WORK_WAITS"
        case .rowsDamaged: "ROWS_DAMAGED"
        case .overloaded: "OVERLOADED"
        case .callerAtLimit: "CALLER_AT_LIMIT"
        case .unspecified: "CONDITION_UNSPECIFIED"
        case .UNRECOGNIZED(let number): "CONDITION_\(number)"
        }
    }

    /// The work that the condition prevents, and the way to end it.
    package var advice: String {
        switch self {
        case .clockNotSet: "no date fires until the machine's clock is set"
        case .storeFull:
            """
            what makes the store grow is refused: remove requests or unregister apps, give it a \
            larger --max-store-size, or free some of its disk
            """
        case .dueWorkWaits:
            """
            what is due waits, since the store's reserve is needed for removals: remove requests \
            or unregister apps, give it a larger --max-store-size, or free some of its disk
            """
        case .rowsDamaged:
            """
            calls that need a damaged row are refused: stop the server, and let \
            'belfry check --repair' set the rows aside
            """
        case .overloaded:
            """
            calls are refused for a moment, since more wait than the server takes: let callers \
            wait as long as they are told, and send less at a time
            """
        case .callerAtLimit:
            """
            calls are refused, since their caller registered or stored all that it may: let it \
            remove some, or raise --apps-per-caller, --bytes-per-caller or --store-bytes-per-caller
            """
        case .unspecified, .UNRECOGNIZED: "a newer 'belfry' knows more of it"
        }
    }
}
