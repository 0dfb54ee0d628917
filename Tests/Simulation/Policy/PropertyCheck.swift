/// The result of checking a property in a world.
package struct PropertyCheck: Sendable {
    /// The first violation; nil for none.
    package private(set) var violation: String?
    /// The number of cases in which a violation was possible.
    package private(set) var cases = 0

    /// Counts cases.
    mutating func count(_ more: Int = 1) { cases += more }

    /// Records a violation if a condition is false.
    mutating func expect(_ holds: Bool, _ words: @autoclosure () -> String) {
        if !holds, violation == nil { violation = words() }
    }
}
