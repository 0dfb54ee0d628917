/// The properties of a download that decide, as bits, in which lane it waits: `queue.lane_flags`.
///
/// SQL knows them by their names, `lull_lane_flag('impatient')`.
package struct LaneFlags: OptionSet, Hashable, Sendable {
    /// The bits, as the store has them.
    package let rawValue: Int16

    /// Creates a set of flags from its bits.
    package init(rawValue: Int16) { self.rawValue = rawValue }

    /// The download may use expensive networks.
    package static let expensive = LaneFlags(rawValue: 1)
    /// It may use constrained networks.
    package static let constrained = LaneFlags(rawValue: 2)
    /// It does not wait for connectivity, so an attempt without connection counts.
    package static let impatient = LaneFlags(rawValue: 4)
    /// It has further addresses or a proxy, so it probes its origin for itself.
    package static let alone = LaneFlags(rawValue: 8)
    /// Its begin hook has to be asked before it begins.
    package static let unasked = LaneFlags(rawValue: 16)
    /// Its begin hook was asked and has not answered; it is due when that counts as no answer.
    package static let asked = LaneFlags(rawValue: 32)
    /// Its file is here and waits to be sent; only the replica with the file claims it.
    package static let sends = LaneFlags(rawValue: 64)
    /// Its file will be sent to a receiver once it is here, which takes further time.
    package static let relays = LaneFlags(rawValue: 128)
    /// It is an upload whose bytes its client still has to bring; no attempt begins before that.
    package static let stages = LaneFlags(rawValue: 256)
    /// Both flags of networks.
    package static let anyNetwork: LaneFlags = [.expensive, .constrained]
    /// Both flags of downloads that an unreachable origin does not hold back.
    package static let apart: LaneFlags = [.impatient, .alone]
    /// Both flags of begin hooks: with one of them no download of the lane begins.
    package static let hooked: LaneFlags = [.unasked, .asked]

    /// The flags and their unions, by the names that SQL has for them.
    package static let named: KeyValuePairs<String, LaneFlags> = [
        "expensive": .expensive, "constrained": .constrained, "impatient": .impatient,
        "alone": .alone, "unasked": .unasked, "asked": .asked, "sends": .sends, "relays": .relays,
        "stages": .stages,
        "any_network": .anyNetwork, "apart": .apart, "hooked": .hooked,
    ]

    /// Whether it has one of these flags.
    package func contains(oneOf flags: LaneFlags) -> Bool { !isDisjoint(with: flags) }
}
