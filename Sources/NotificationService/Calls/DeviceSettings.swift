internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

// The person's decisions about the apps of a device.

extension NotificationService {
    func registerDeviceSettings(in router: inout Router) {
        listing("DeviceService/ListApps", in: &router) {
            (
                request: Belfry_V1_ListAppsRequest,
                reply: Reply<Belfry_V1_ListAppsResponse>
            )
                throws(Refusal) in
            let device = try CenterName.deviceName(request.deviceID)
            let tokens = PageTokens(rpc: "ListApps", device: device, store.pageTokenKey)
            store.listApps(
                on: device,
                pageSize: try RequestLimits.pageSize(request.pageSize),
                token: try tokens.position(request.pageToken),
                for: reply.caller
            ) { result in
                reply.finish(
                    result.map { page in
                        .with { response in
                            response.apps = page.entries.map(Belfry_V1_DeviceApp.init)
                            response.nextPageToken = tokens.text(page.nextToken)
                        }
                    }
                )
            }
        }
        mutation("DeviceService/UpdateSettings", in: &router) {
            (
                request: Belfry_V1_UpdateSettingsRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_UpdateSettingsResponse>
            )
                throws(Refusal) in
            let change = try SettingsChange(request.settings, request.updateMask.paths)
            let grouping: GroupingMode? =
                request.hasGrouping ? try choice(request.grouping, "grouping") : nil
            let location: LocationPermission? =
                request.hasLocationPermission
                ? try choice(request.locationPermission, "location_permission") : nil
            store.updateSettings(
                change,
                grouping: grouping,
                location: location,
                of: try CenterName(request.center),
                once: key
            ) { result in
                reply.finish(
                    result.map { told in
                        .with { response in
                            response.settings = .init(told.settings)
                            response.asOfEvent = told.lastEvent.rawValue
                            response.grouping = .init(told.grouping)
                            response.locationPermission = .init(told.locationPermission)
                        }
                    }
                )
            }
        }
        registerAnswers(in: &router)
    }

    private func registerAnswers(in router: inout Router) {
        mutation("DeviceService/AnswerAuthorizationPrompt", in: &router) {
            (
                request: Belfry_V1_AnswerAuthorizationPromptRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_AnswerAuthorizationPromptResponse>
            )
                throws(Refusal) in
            store.answerPrompt(
                promptNumber(request.promptID),
                on: try CenterName.deviceName(request.deviceID),
                with: try PersonsAnswer(request),
                once: key
            ) { result in
                reply.finish(result.map { settings in .with { $0.settings = .init(settings) } })
            }
        }
    }
}

/// Reads a prompt's identifier; an invalid identifier becomes 0, which no prompt has.
private func promptNumber(_ wire: String) -> PromptNumber {
    guard let number = UInt64(wire), "\(number)" == wire else { return 0 }
    return PromptNumber(rawValue: number)
}

extension PersonsAnswer {
    fileprivate init(_ wire: Belfry_V1_AnswerAuthorizationPromptRequest) throws(Refusal) {
        func invalid(_ path: String, _ problem: String) -> Refusal {
            .invalid(path, problem, reason: .answerInvalid)
        }
        guard wire.options.isEmpty || wire.answer == .allow else {
            throw invalid("options", "belong to ALLOW alone")
        }
        guard !wire.keepInSummary || wire.answer == .keep else {
            throw invalid("keep_in_summary", "belongs to KEEP alone")
        }
        switch wire.answer {
        case .allow where wire.options.isEmpty: self = .allowAll
        case .allow:
            let options: AuthorizationOptions = try optionSet(
                wire.options,
                "options",
                reason: .answerInvalid
            )
            self = .answer(.allow(options))
        case .deny: self = .answer(.deny)
        case .keep: self = .answer(.keep(wire.keepInSummary ? .scheduledSummary : .immediately))
        case .turnOff: self = .answer(.turnOff)
        case .unspecified: throw invalid("answer", "must be there")
        case .UNRECOGNIZED(let value): throw invalid("answer", "has no value \(value)")
        }
    }
}

extension Belfry_V1_DeviceApp {
    init(_ app: InstalledApp) {
        self.init()
        center = .init(app.center.name)
        name = app.registration.name(for: []) ?? app.center.name.app
        iconAttachmentID = app.registration.icon
        settings = .init(app.center.settings)
        badge = app.center.badge
        asOfEvent = app.center.lastEvent.rawValue
        grouping = .init(app.grouping)
        locationPermission = .init(app.locationPermission)
    }
}

extension Belfry_V1_NotificationGrouping {
    init(_ grouping: GroupingMode) {
        switch grouping {
        case .automatic: self = .automatic
        case .byApp: self = .byApp
        case .off: self = .off
        }
    }
}
