package import NotificationCore

/// A registration for pushes, as the `registrations` table keeps it.
package struct RegistrationRecord: TableRow, Equatable {
    package var number: CenterNumber
    /// The token that providers have.
    package var token: DeviceToken
    package var environment: PushEnvironment
    package var registeredAt: WallInstant
    /// The tags that the provider has set, in the order of their bytes.
    package var tags: [String] = []

    package init(
        number: CenterNumber,
        token: DeviceToken,
        environment: PushEnvironment,
        registeredAt: WallInstant
    ) {
        self.number = number
        self.token = token
        self.environment = environment
        self.registeredAt = registeredAt
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 64)
        writer.put(number)
        writer.put(bytes: token.bytes)
        writer.put(environment.rawValue)
        writer.put(registeredAt.nanoseconds)
        writer.putVarint(UInt64(tags.count))
        for tag in tags { writer.put(tag) }
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        number = try reader.serial()
        token = try DeviceToken(try reader.bytes(DeviceToken.byteCount))
        environment = try reader.choice()
        registeredAt = WallInstant(nanoseconds: try reader.number())
        for _ in 0..<(try reader.count()) { tags.append(try reader.text()) }
        guard reader.isAtEnd else { throw .undecodable }
    }
}

/// A token for pushes, as the `device_tokens` table keeps it: of a registration, or of one that
/// ended.
package struct DeviceTokenRecord: TableRow, Equatable {
    package struct End: Equatable {
        package var reason: TokenEnd
        /// The date that providers are told.
        package var date: WallInstant
        /// The instant from which the age of the row counts.
        package var instant: ElapsedInstant
        /// The number of the end, in its key of `ended_tokens`.
        package var number: UInt64
        /// The caller that had registered the app, as ``Registrant/name`` has it; empty for one
        /// without a limit.
        package var registrant: String

        package init(reason: TokenEnd, at now: Now, number: UInt64, of registrant: String) {
            self.reason = reason
            date = now.wall
            instant = now.elapsed
            self.number = number
            self.registrant = registrant
        }
    }

    package var center: CenterName
    /// How the token ended; nil while it is the token of the registration.
    package var end: End?

    package init(center: CenterName) { self.center = center }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 64)
        writer.put(center.app)
        writer.put(center.device)
        writer.put(end) { writer, end in
            writer.put(end.reason.rawValue)
            writer.put(end.instant.nanoseconds)
            writer.put(end.date.nanoseconds)
            writer.put(end.number)
            writer.put(end.registrant)
        }
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        center = try reader.centerName()
        end = try reader.optional { reader throws(RowProblem) in
            End(
                reason: try reader.choice(),
                at: Now(
                    elapsed: ElapsedInstant(nanoseconds: try reader.number()),
                    wall: WallInstant(nanoseconds: try reader.number())
                ),
                number: try reader.number(),
                of: try reader.text()
            )
        }
        guard reader.isAtEnd else { throw .undecodable }
    }
}
