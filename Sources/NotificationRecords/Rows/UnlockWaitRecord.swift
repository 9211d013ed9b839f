package import NotificationCore

/// An action that waits until its device is unlocked, as the `unlock_waits` table keeps it.
package struct UnlockWaitRecord: TableRow, Equatable {
    /// The action that the person chose.
    package struct Action: Equatable {
        package var identifier: String
        /// The text that was typed; nil where there is none.
        package var text: String?

        package init(identifier: String, text: String?) {
            self.identifier = identifier
            self.text = text
        }
    }

    package var center: CenterNumber
    /// When the act is dropped.
    package var deadline: ElapsedInstant
    package var identifier: String
    package var delivery: DeliveryNumber
    package var action: Action

    package init(
        center: CenterNumber,
        deadline: ElapsedInstant,
        identifier: String,
        delivery: DeliveryNumber,
        action: Action
    ) {
        self.center = center
        self.deadline = deadline
        self.identifier = identifier
        self.delivery = delivery
        self.action = action
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 64)
        writer.put(center)
        writer.put(deadline.nanoseconds)
        writer.put(identifier)
        writer.put(delivery)
        writer.put(action.identifier)
        writer.put(action.text) { $0.put($1) }
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        center = try reader.serial()
        deadline = ElapsedInstant(nanoseconds: try reader.number())
        identifier = try reader.text()
        delivery = try reader.serial()
        action = Action(
            identifier: try reader.text(),
            text: try reader.optional { reader throws(RowProblem) in try reader.text() }
        )
        guard reader.isAtEnd else { throw .undecodable }
    }
}
