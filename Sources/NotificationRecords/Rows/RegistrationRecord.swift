package import NotificationCore

/// A registration for pushes, as the `registrations` table keeps it.
package struct RegistrationRecord: SealedRow, Equatable {
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

    package func write(to writer: inout ByteWriter) {
        writer.put(number)
        writer.put(bytes: token.bytes)
        writer.put(environment.rawValue)
        registeredAt.write(to: &writer)
        tags.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        number = try reader.serial()
        token = try DeviceToken(try reader.bytes(DeviceToken.byteCount))
        environment = try reader.choice()
        registeredAt = try reader.value()
        tags = try reader.value()
    }
}

/// A token for pushes, as the `device_tokens` table keeps it: of a registration, or of one that
/// ended.
package struct DeviceTokenRecord: SealedRow, Equatable {
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

    package func write(to writer: inout ByteWriter) {
        center.write(to: &writer)
        writer.put(end) { writer, end in
            writer.put(end.reason.rawValue)
            Now(elapsed: end.instant, wall: end.date).write(to: &writer)
            writer.put(end.number)
            writer.put(end.registrant)
        }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        center = try reader.value()
        end = try reader.optional { reader throws(RowProblem) in
            End(
                reason: try reader.choice(),
                at: try reader.value(),
                number: try reader.number(),
                of: try reader.text()
            )
        }
    }
}
