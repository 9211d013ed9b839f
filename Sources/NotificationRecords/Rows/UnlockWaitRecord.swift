package import NotificationCore

/// An action that waits until its device is unlocked, as the `unlock_waits` table keeps it.
package struct UnlockWaitRecord: SealedRow, Equatable {
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

    package func write(to writer: inout ByteWriter) {
        writer.put(center)
        deadline.write(to: &writer)
        writer.put(identifier)
        writer.put(delivery)
        writer.put(action.identifier)
        action.text.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        center = try reader.serial()
        deadline = try reader.value()
        identifier = try reader.text()
        delivery = try reader.serial()
        action = Action(identifier: try reader.text(), text: try reader.value())
    }
}
