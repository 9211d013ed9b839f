internal import NotificationCore
internal import Testing

/// Properties of each set of options that an app can ask for.
@Suite("Authorization, every set of options (§4)")
struct AuthorizationInvariantTests {
    /// The setting that answers each option that is a permission.
    private static let permissions: [(option: AuthorizationOptions, setting: Setting)] = [
        (.badge, .badge), (.sound, .sound), (.alert, .alert), (.carPlay, .carPlay),
        (.criticalAlert, .criticalAlert), (.announcement, .announcement),
        (.timeSensitive, .timeSensitive),
    ]

    private static let everyEntitlements: [Entitlements] = [
        [], .criticalAlerts, .timeSensitive, [.criticalAlerts, .timeSensitive],
    ]

    /// Whether an app of these entitlements may have anything of `options`.
    private static func offersAny(
        _ options: AuthorizationOptions,
        _ entitlements: Entitlements
    ) -> Bool {
        permissions.contains { option, _ in
            options.contains(option)
                && (option != .criticalAlert || entitlements.contains(.criticalAlerts))
        }
    }

    private static func asksForAny(_ options: AuthorizationOptions) -> Bool {
        permissions.contains { options.contains($0.option) }
    }

    private static func check(
        _ settings: NotificationSettings,
        after options: AuthorizationOptions,
        _ entitlements: Entitlements
    ) {
        for (option, setting) in permissions {
            let value = settings[keyPath: setting.path]
            if value != .notSupported && settings.authorizationStatus != .provisional {
                let isEntitled = option == .timeSensitive && entitlements.contains(.timeSensitive)
                #expect(options.contains(option) || isEntitled, "\(options) \(setting)")
            }
            if option == .criticalAlert && value != .notSupported {
                #expect(entitlements.contains(.criticalAlerts), "A-8 \(options)")
            }
        }
        #expect(!settings.requestedOptions.contains(.provisional))
    }

    @Test("A-3, A-8: A first call grants nothing that the app may not have", arguments: 0..<512)
    func firstCall(bits: Int) {
        let options = AuthorizationOptions(rawValue: UInt32(bits))
        for entitlements in Self.everyEntitlements {
            let hasCritical = entitlements.contains(.criticalAlerts)
            let isRefused = options.subtracting(hasCritical ? [] : .criticalAlert).isEmpty
            switch NotificationSettings().requesting(options, entitlements: entitlements) {
            case .prompt:
                #expect(!isRefused && !options.contains(.provisional), "A-3, A-5 \(options)")
                let granted = NotificationSettings().granted(options, entitlements: entitlements)
                Self.check(granted, after: options, entitlements)
                let isAnyOn = Setting.allCases.contains {
                    granted[keyPath: $0.path] == .enabled
                }
                #expect(isAnyOn || !Self.offersAny(options, entitlements), "A-3 \(options)")
            case .settled(let settings):
                #expect(settings.isGranted == !isRefused, "A-3 \(options)")
                #expect(isRefused || options.contains(.provisional), "A-2 \(options)")
                Self.check(settings, after: options, entitlements)
            }
        }
    }

    @Test("A-3: An answer allows at least one permission of those asked for", arguments: 0..<512)
    func answers(bits: Int) throws {
        let options = AuthorizationOptions(rawValue: UInt32(bits)).subtracting(.provisional)
        let prompt = AuthorizationPrompt(kind: .initial, options: options)
        for entitlements in Self.everyEntitlements {
            for bit in 0..<9 {
                let allowed = AuthorizationOptions(rawValue: 1 << UInt32(bit))
                let fits =
                    options.contains(allowed)
                    && (Self.offersAny(allowed, entitlements)
                        || !Self.asksForAny(allowed) && !Self.offersAny(options, entitlements))
                let after = try? NotificationSettings().answering(
                    .allow(allowed),
                    to: prompt,
                    entitlements: entitlements
                )
                #expect((after != nil) == fits, "\(options) \(allowed)")
                if let after { Self.check(after, after: options, entitlements) }
            }
        }
    }
}
