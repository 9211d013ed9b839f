extension DeviceState {
    /// Checks the state that a device reports.
    ///
    /// Whether ``timeZone`` names an existing zone is not checked: that needs the zone database.
    ///
    /// - Throws: A refusal that names the field, relative to the state.
    /// - Complexity: O(bytes).
    package func validate() throws(Refusal) {
        try focus?.validate()
        try summary.validate()
        guard timeZone.isEmpty || Self.isZoneName(timeZone) else {
            throw .invalid(
                [.timeZone],
                "an IANA name such as Europe/Lisbon, at most \(Limits.timeZoneBytes) bytes",
                reason: .timeZoneInvalid
            )
        }
        guard languages.count <= Limits.languages else {
            throw .invalid([.languages], "at most \(Limits.languages) are kept")
        }
        guard languages.allSatisfy(Self.isLanguageTag) else {
            throw .invalid(
                [.languages],
                "BCP 47 tags such as pt-BR, at most \(Limits.languageBytes) bytes each",
                reason: .languageInvalid
            )
        }
    }

    // Refuse `..`: the name is looked up as a path below the zones' directory.
    private static func isZoneName(_ name: String) -> Bool {
        guard name.utf8.count <= Limits.timeZoneBytes else { return false }
        return name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .allSatisfy { part in
                !part.isEmpty && part.allSatisfy { $0.isLetterOrDigit || "_+-".utf8.contains($0) }
            }
    }

    private static func isLanguageTag(_ tag: String) -> Bool {
        guard (1...Limits.languageBytes).contains(tag.utf8.count) else { return false }
        return tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            .allSatisfy { (1...8).contains($0.count) && $0.allSatisfy(\.isLetterOrDigit) }
    }
}

extension Focus {
    fileprivate func validate() throws(Refusal) {
        guard name.utf8.count <= Limits.focusNameBytes else {
            throw .invalid([.focus, .name], "a name is at most \(Limits.focusNameBytes) bytes")
        }
        try DeviceState.validateApps(allowedApps, [.focus, .allowedApps])
        guard allowedPeople.count <= Limits.allowedPeople else {
            throw .invalid([.focus, .allowedPeople], "at most \(Limits.allowedPeople) are kept")
        }
        guard allowedPeople.allSatisfy({ (1...Limits.personBytes).contains($0.utf8.count) }) else {
            throw .invalid(
                [.focus, .allowedPeople],
                "a person is 1-\(Limits.personBytes) bytes of UTF-8",
                reason: .personInvalid
            )
        }
        try validateSchedule()
        try DeviceState.validateApps(filters.keys, [.focus, .filters])
        let values = filters.values.lazy.map(\.values)
        guard values.reduce(0, { $0 + $1.count }) <= Limits.focusFilterValues else {
            throw .invalid(
                [.focus, .filters],
                "at most \(Limits.focusFilterValues) values are kept"
            )
        }
        let isGood = values.joined().allSatisfy {
            (1...Limits.focusFilterValueBytes).contains($0.utf8.count)
        }
        guard isGood else {
            throw .invalid(
                [.focus, .filters],
                "a value is 1-\(Limits.focusFilterValueBytes) bytes of UTF-8",
                reason: .focusFilterInvalid
            )
        }
    }
}

extension Focus {
    private func validateSchedule() throws(Refusal) {
        guard schedule.count <= Limits.focusWindows else {
            throw .scheduleInvalid([.focus, .schedule], "at most \(Limits.focusWindows) are kept")
        }
        for (index, window) in schedule.enumerated() {
            let path = ([.focus, .schedule] as FieldPath)[index]
            guard (0..<1440).contains(window.from) else {
                throw .scheduleInvalid(path.appending(.from), "is 0-1439 minutes after midnight")
            }
            guard (0...1440).contains(window.to) else {
                throw .scheduleInvalid(path.appending(.to), "is 0-1440 minutes after midnight")
            }
            guard window.weekdays.count <= 7, window.weekdays.allSatisfy((1...7).contains) else {
                throw .scheduleInvalid(
                    path.appending(.weekdays),
                    "are at most seven, from Sunday, 1, to Saturday, 7"
                )
            }
        }
    }
}

extension Refusal {
    fileprivate static func scheduleInvalid(_ path: FieldPath, _ problem: String) -> Refusal {
        invalid(path, problem, reason: .focusScheduleInvalid)
    }
}

extension ScheduledSummary {
    fileprivate func validate() throws(Refusal) {
        guard times.count <= Limits.summaryTimes else {
            throw .invalid([.summary, .times], "at most \(Limits.summaryTimes) are kept")
        }
        guard times.allSatisfy((0..<1440).contains) else {
            throw .invalid(
                [.summary, .times],
                "a time is 0-1439 minutes after midnight",
                reason: .summaryTimeInvalid
            )
        }
        // Refuse a summary without times: its notifications would wait for ever.
        guard !isEnabled || !times.isEmpty else {
            throw .invalid(
                [.summary, .times],
                "a summary that is on needs at least one",
                reason: .summaryTimeInvalid
            )
        }
        try DeviceState.validateApps(apps, [.summary, .apps])
    }
}

extension DeviceState {
    /// Checks the names of apps at `path`: first how many there are, then each name.
    ///
    /// - Throws: A refusal that names the path; `APP_ID_INVALID` for an invalid name.
    /// - Complexity: O(bytes).
    package static func validateApps(
        _ apps: some Collection<String>,
        _ path: FieldPath
    ) throws(Refusal) {
        guard apps.count <= Limits.namedApps else {
            throw .invalid(path, "at most \(Limits.namedApps) apps are kept")
        }
        for app in apps {
            do {
                try CenterName.validate(app: app, path)
            } catch {
                throw .invalid(
                    path,
                    "is 1-\(Limits.appIDBytes) of A-Z a-z 0-9 . _ -",
                    reason: .appIDInvalid
                )
            }
        }
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
