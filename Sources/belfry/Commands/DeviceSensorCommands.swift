internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol

/// Reports where a device is, and says who may know.
struct DeviceLocationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "location",
        abstract: "Report where the device is, and say whether apps may know.",
        discussion: """
            Apps may not know before the person allows it. Requests that wait for a border which \
            the device crossed fire.

              belfry device location --allow always
              belfry device location 38.7,-9.1
              belfry device location --app org.example.tea -33.9,18.4,50m
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Degrees north, degrees east and how far they may be wrong, such as 38.7,-9.1,10m.",
            valueName: "place"
        ),
        transform: RegionText.fix
    )
    var fix: Belfry_V1_LocationFix?

    @Option(help: "When apps may know the location, unless the person decided for the app.")
    var allow: LocationPermissionText?

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func validate() throws {
        guard fix != nil || allow != nil else {
            throw ValidationError("Say where the device is, as 38.7,-9.1, or use --allow.")
        }
    }

    func run() async throws {
        try await client.run { session in
            if let allow {
                try await session.update(["location_permission"]) {
                    $0.locationPermission = allow.permission
                }
            }
            guard let fix else { return }
            let key = IdempotencyKey.make()
            try session.print(fired: try await session.person.reportLocation([fix], key: key))
        }
    }
}

/// Reports which beacons a device sees.
struct DeviceBeaconsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacons",
        abstract: "Report which beacons the device sees; without any it sees none."
    )

    @Argument(
        help: ArgumentHelp(
            "A beacon's UUID, major and minor number.",
            valueName: "uuid,major,minor"
        ),
        transform: RegionText.sighting
    )
    var sightings: [Belfry_V1_BeaconSighting] = []

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            let key = IdempotencyKey.make()
            try session.print(fired: try await session.person.reportBeacons(sightings, key: key))
        }
    }
}

/// An app's access to the location, on the command line.
enum LocationPermissionText: String, CaseIterable, ExpressibleByArgument {
    case always
    case whenInUse = "when-in-use"
    case never

    var permission: Belfry_V1_LocationPermission {
        switch self {
        case .always: .authorizedAlways
        case .whenInUse: .authorizedWhenInUse
        case .never: .denied
        }
    }

    /// Gives for example "for apps in use".
    static func describe(_ permission: Belfry_V1_LocationPermission) -> String {
        switch permission {
        case .authorizedAlways: "for apps"
        case .authorizedWhenInUse: "for apps in use"
        case .notDetermined, .restricted, .denied, .UNRECOGNIZED: "not for apps"
        }
    }
}

extension Session {
    /// Prints how many requests a report fired.
    fileprivate func print(fired count: UInt64) throws {
        if output.isJSON {
            try output.print(json: ["fired_count": count])
        } else {
            try output.print(count == 1 ? "1 request fired." : "\(count) requests fired.")
        }
    }
}
