/// The bits of a lane that say which networks its downloads may use, and how they wait for them.
package enum LaneFlags {
    /// Flag: the download may use expensive networks.
    package static let expensive: Int16 = 1
    /// Flag: it may use constrained networks.
    package static let constrained: Int16 = 2
    /// Flag: it does not wait for connectivity, so an attempt without connection counts.
    package static let impatient: Int16 = 4
    /// Flag: it has further addresses or a proxy, so it probes its origin for itself.
    package static let alone: Int16 = 8
    /// Flag: its begin hook has to be asked before it begins.
    package static let unasked: Int16 = 16
    /// Flag: its begin hook was asked and has not answered; it is due when that counts as no
    /// answer.
    package static let asked: Int16 = 32
    /// Both flags of begin hooks: with one of them no download of the lane begins.
    package static let hooked: Int16 = unasked | asked
    /// Both flags of downloads that an unreachable origin does not hold back.
    package static let apart: Int16 = impatient | alone
    /// Both flags of networks.
    package static let anyNetwork: Int16 = expensive | constrained
}
