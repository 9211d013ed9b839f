/// The number of the connection that a call came over.
///
/// The number is valid while a call of the connection is unfinished. Afterwards the number may be
/// given to another connection.
package struct ConnectionIdentifier: Hashable, Sendable {
    package let number: UInt
}
