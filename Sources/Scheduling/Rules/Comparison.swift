/// A comparison of a condition with values.
package struct Comparison: Hashable, Sendable {
    /// The operators.
    package enum Operator: String, Sendable, CaseIterable {
        case less = "<"
        case atMost = "<="
        case more = ">"
        case atLeast = ">="
        case equal = "="
        case notEqual = "!="
        case isIn = "in"

        /// Whether it compares the order of numbers.
        var isOrder: Bool {
            switch self {
            case .less, .atMost, .more, .atLeast: true
            case .equal, .notEqual, .isIn: false
            }
        }

        /// Whether it holds for numbers below its value.
        var isBelow: Bool { self == .less || self == .atMost }
    }

    /// The operator.
    package let comparator: Operator
    /// The values to compare with: one, or several for `in`.
    package let values: [ConditionValue]

    /// Whether the comparison holds for a value; for one of another kind it does not.
    package func holds(_ value: ConditionValue) -> Bool {
        if comparator.isOrder {
            guard case .number(let left) = value, case .number(let right)? = values.first else {
                return false
            }
            switch comparator {
            case .less: return left < right
            case .atMost: return left <= right
            case .more: return left > right
            default: return left >= right
            }
        }
        return comparator == .notEqual ? !values.contains(value) : values.contains(value)
    }

    /// Whether both hold for some number; both have to compare the order of numbers.
    func overlaps(_ other: Comparison) -> Bool {
        guard case .number(let mine)? = values.first, case .number(let theirs)? = other.values.first
        else { return true }
        guard comparator.isBelow != other.comparator.isBelow else { return true }
        let (low, high) = comparator.isBelow ? (theirs, mine) : (mine, theirs)
        guard low == high else { return low < high }
        return [comparator, other.comparator].allSatisfy { $0 == .atMost || $0 == .atLeast }
    }
}

extension Comparison: CustomStringConvertible {
    /// The comparison as it is written in a requirement.
    package var description: String {
        let list = values.map(\.description).joined(separator: ", ")
        return "\(comparator.rawValue) " + (comparator == .isIn ? "{\(list)}" : list)
    }
}
