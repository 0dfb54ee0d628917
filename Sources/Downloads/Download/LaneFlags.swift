/// The bits of a lane that say which networks its downloads may use, and how they wait for them.
package enum LaneFlags {
    /// A download may use expensive networks.
    package static let expensive: Int16 = 1
    /// It may use constrained ones.
    package static let constrained: Int16 = 2
    /// It does not wait for connectivity: what does not reach its origin costs an attempt.
    package static let impatient: Int16 = 4
    /// It tries by itself whether its origin is reached: it has further addresses or a proxy.
    package static let alone: Int16 = 8
    /// Its begin hook is to be asked where another download would begin.
    package static let unasked: Int16 = 16
    /// Its begin hook was asked and has not answered; it is due when that counts as no answer.
    package static let asked: Int16 = 32
    /// Either of both: nothing of its lane begins.
    package static let hooked: Int16 = unasked | asked
    /// Either of both: an origin that is not reached does not hold it back.
    package static let apart: Int16 = impatient | alone
    /// It may use all.
    package static let anyNetwork: Int16 = expensive | constrained
}
