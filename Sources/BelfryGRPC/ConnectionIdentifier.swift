/// Which connection a call came over.
///
/// It means something only beside a call of the connection that is not finished: the number is
/// given again afterwards.
public struct ConnectionIdentifier: Hashable, Sendable {
    /// The number.
    public let number: UInt
}
