package import NotificationCore

/// A command in slices that is begun and not done, with its progress.
///
/// The next start of the server continues it.
package struct OpenCommandRecord: SealedRow, Equatable {
    /// The command's kind and its arguments.
    package enum Task: Equatable, Sendable {
        /// Removes the requests of a center that were pending at the call.
        case removePending(CenterName)
        /// Empties the delivered list of a center.
        case removeDelivered(CenterName)
        /// Takes notifications back from the devices of an app that an expression names.
        case withdraw(identifiers: [String], expression: String, app: String)
        /// Dismisses a group of a device, by the group's name without the device.
        case dismissGroup(String, device: String)
        /// Dismisses everything that a device lists.
        case dismissAll(device: String)
    }

    /// The idempotency key of the call, with the fingerprint of its request.
    package struct Key: Equatable, Sendable {
        package var identifier: [UInt8]
        package var fingerprint: UInt128

        package init(identifier: [UInt8], fingerprint: UInt128) {
            self.identifier = identifier
            self.fingerprint = fingerprint
        }
    }

    package var task: Task
    /// The idempotency key of the call; nil where the caller gave none.
    package var key: Key?
    /// The progress, in a form that the command knows.
    package var progress: [UInt8]

    package init(_ task: Task, key: Key?, progress: [UInt8]) {
        self.task = task
        self.key = key
        self.progress = progress
    }

    package var expectedByteCount: Int { 128 }

    package func write(to writer: inout ByteWriter) {
        switch task {
        case .removePending(let center):
            writer.put(1 as UInt8)
            center.write(to: &writer)
        case .removeDelivered(let center):
            writer.put(2 as UInt8)
            center.write(to: &writer)
        case .withdraw(let identifiers, let expression, let app):
            writer.put(3 as UInt8)
            identifiers.write(to: &writer)
            writer.put(expression)
            writer.put(app)
        case .dismissGroup(let group, let device):
            writer.put(4 as UInt8)
            writer.put(group)
            writer.put(device)
        case .dismissAll(let device):
            writer.put(5 as UInt8)
            writer.put(device)
        }
        writer.put(key) { writer, key in
            writer.put(bytes: key.identifier)
            writer.put(key.fingerprint)
        }
        writer.putVarint(UInt64(progress.count))
        writer.put(bytes: progress)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        switch try reader.number(UInt8.self) {
        case 1: task = .removePending(try reader.value())
        case 2: task = .removeDelivered(try reader.value())
        case 3:
            task = .withdraw(
                identifiers: try reader.value(),
                expression: try reader.text(),
                app: try reader.text()
            )
        case 4: task = .dismissGroup(try reader.text(), device: try reader.text())
        case 5: task = .dismissAll(device: try reader.text())
        default: throw .undecodable
        }
        key = try reader.optional { reader throws(RowProblem) in
            Key(identifier: try reader.bytes(16), fingerprint: try reader.number())
        }
        progress = try reader.bytes(try reader.count())
    }
}
