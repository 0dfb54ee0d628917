/// The condition under which a write takes effect.
package enum WriteCondition: Sendable, Equatable {
    /// Always.
    case always
    /// There is no object with the key: `If-None-Match: *`.
    case absent
    /// The object still has this entity tag: `If-Match`.
    case unchanged(tag: String)
}
