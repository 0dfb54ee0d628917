/// What a world showed of a property.
package struct PropertyCheck: Sendable {
    /// What did not hold first; nil where all did.
    package private(set) var violation: String?
    /// In how many cases it could have been otherwise.
    package private(set) var cases = 0

    /// A case that counts by being there.
    mutating func count(_ more: Int = 1) { cases += more }

    /// Something that has to hold.
    mutating func expect(_ holds: Bool, _ words: @autoclosure () -> String) {
        if !holds, violation == nil { violation = words() }
    }
}
