/// A large value that is kept by reference: a copy costs one count, whatever the value has.
@usableFromInline
package final class Boxed<Value: Sendable>: Sendable {
    @usableFromInline
    package let value: Value

    @usableFromInline
    package init(_ value: Value) { self.value = value }
}

extension Boxed: Equatable where Value: Equatable {
    @usableFromInline
    package static func == (left: Boxed, right: Boxed) -> Bool {
        left === right || left.value == right.value
    }
}

extension Boxed: Hashable where Value: Hashable {
    @usableFromInline
    package func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
