/// Which devices of an app a push is for: tags joined with `!` before `&&` before `||`, and
/// parentheses (AZ-7).
///
/// The expression is kept as it was written; it is read again where it is needed.
package struct TagExpression: Hashable, Sendable {
    /// One step of the expression in postfix order, so that neither reading nor evaluating it
    /// recurs.
    package enum Step: Hashable, Sendable {
        case tag(String)
        /// The device has this name (AZ-5).
        case device(String)
        /// The last result is wrong.
        case not
        /// Both last results are right.
        case and
        /// One of the last two results is right.
        case or
    }

    /// Bytes of an expression: room for the most tags with their operators, and much white space.
    package static let byteLimit = 4_096
    /// Tags of an expression that has `||` alone (AZ-7).
    package static let tagLimitOfAlternatives = 20
    /// Tags of any other expression (AZ-7); each place where one stands counts (AZ-9).
    package static let tagLimit = 6

    /// The expression as it was written; empty is all devices.
    package let text: String
    /// The steps in postfix order; none is all devices.
    package let steps: [Step]

    package static let everything = TagExpression(text: "", steps: [])

    private init(text: String, steps: [Step]) {
        self.text = text
        self.steps = steps
    }

    /// Reads an expression.
    ///
    /// - Parameter text: The expression; empty is all devices.
    /// - Throws: Where it cannot be read, or has too many tags.
    /// - Complexity: O(bytes).
    package init(_ text: String) throws(TagExpressionFault) {
        var parser = TagExpressionParser(text)
        self.init(text: text, steps: text.isEmpty ? [] : try parser.read())
    }

    /// Whether the expression is right for a device.
    ///
    /// - Complexity: O(steps × tags).
    package func matches(device: String, tags: [String]) -> Bool {
        guard !steps.isEmpty else { return true }
        var results: [Bool] = []
        for step in steps {
            switch step {
            case .tag(let tag): results.append(tags.contains(tag))
            case .device(let name): results.append(name == device)
            case .not: results.append(!results.removeLast())
            case .and:
                let (right, left) = (results.removeLast(), results.removeLast())
                results.append(left && right)
            case .or:
                let (right, left) = (results.removeLast(), results.removeLast())
                results.append(left || right)
            }
        }
        return results.removeLast()
    }
}

/// Why a tag expression cannot be read.
package struct TagExpressionFault: Error, Hashable, Sendable {
    /// Where: the byte of the expression, counted from 0; its length is the end.
    package let position: Int
    /// The problem at that place.
    package let problem: String

    package init(position: Int, problem: String) {
        self.position = position
        self.problem = problem
    }
}

extension TagExpression {
    /// The tags or names of which every device has one that the expression is right for.
    package enum Anchor: Hashable, Sendable {
        /// Nothing: any device may fit.
        case none
        /// At least one of these.
        case anyOf([Step])
    }

    /// Finds the fewest devices that include all for which the expression is right.
    ///
    /// - Parameter cost: How many devices have a tag or a name, about.
    /// - Returns: What all of them have.
    /// - Throws: What `cost` threw.
    package func anchor<Failure: Error>(
        cost: (Step) throws(Failure) -> Int
    ) throws(Failure) -> Anchor {
        // Each result is a list of alternatives with their cost together; nil is any device.
        var results: [(steps: [Step], cost: Int)?] = []
        for step in steps {
            switch step {
            case .tag, .device: results.append(([step], try cost(step)))
            case .not:
                results.removeLast()
                results.append(nil)
            case .and:
                let (right, left) = (results.removeLast(), results.removeLast())
                guard let left, let right else {
                    results.append(left ?? right)
                    continue
                }
                results.append(right.cost < left.cost ? right : left)
            case .or:
                let (right, left) = (results.removeLast(), results.removeLast())
                guard let left, let right else {
                    results.append(nil)
                    continue
                }
                let steps = left.steps + right.steps.filter { !left.steps.contains($0) }
                results.append((steps, left.cost + right.cost))
            }
        }
        return (results.last ?? nil).map { .anyOf($0.steps) } ?? .none
    }
}
