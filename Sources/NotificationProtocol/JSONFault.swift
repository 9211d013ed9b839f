/// A problem of a JSON text, with its field.
package struct JSONFault: Error, Equatable, CustomStringConvertible {
    /// The field from the message on, as `request.trigger.time_interval.interval`; empty where the
    /// text as a whole is no JSON or no object.
    package let path: String
    /// The found value and the expected one, for a person.
    ///
    /// It holds no text of a notification.
    package let problem: String

    package var description: String { path.isEmpty ? problem : "\(path): \(problem)" }

    /// The first fault of a JSON text that is to be a message of the contract.
    ///
    /// `message` is the name of the message, such as `belfry.v1.AddRequest`.
    ///
    /// - Returns: The fault; nil where none is found.
    package static func first(in bytes: [UInt8], of message: String) -> JSONFault? {
        do throws(JSONFault) {
            try JSONWalk.check(bytes, message)
            return nil
        } catch {
            return error
        }
    }

    /// Where a text stops to be JSON, with its line and column.
    ///
    /// - Returns: The fault; nil where the text is one JSON value.
    package static func syntax(of bytes: [UInt8]) -> JSONFault? {
        do throws(JSONFault) {
            try JSONWalk.checkSyntax(bytes)
            return nil
        } catch {
            return error
        }
    }
}
