/// Where in a command something is wrong: fields from the outside in, with places in lists.
///
/// The service writes it as the path of a field of the wire.
package struct FieldPath: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// One step towards the field.
    package enum Step: Hashable, Sendable {
        case field(Field)
        /// A place in the list that the step before names, counted from 0.
        case index(Int)
        /// A key of the table that the step before names.
        case key(String)
        /// A path in the wire's own words: the service's.
        case written(String)
    }

    /// The steps, the outermost first.
    package var steps: [Step]

    package init(_ steps: [Step]) { self.steps = steps }

    /// Makes a path from fields, the outermost first.
    package init(arrayLiteral fields: Field...) { steps = fields.map(Step.field) }

    package static func element(_ index: Int, of list: Field) -> FieldPath {
        FieldPath([.field(list), .index(index)])
    }

    /// Makes the path of what a table has under a key.
    package static func value(of key: String, in table: Field) -> FieldPath {
        FieldPath([.field(table), .key(key)])
    }

    /// The path of an element of the list that this path names.
    package subscript(index: Int) -> FieldPath { FieldPath(steps + [.index(index)]) }

    /// Gives the path of a field within this one.
    package func appending(_ fields: Field...) -> FieldPath {
        FieldPath(steps + fields.map(Step.field))
    }
}
