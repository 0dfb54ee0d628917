/// A limited thing that downloads with deadlines share.
package enum Bottleneck: Hashable, Sendable {
    /// All replicas together.
    case deployment
    /// An origin by its number.
    case origin(Int64)
    /// A session by its number.
    case session(Int64)
}
