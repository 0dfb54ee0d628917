/// What is measured of the world; the raw value is the number in the store.
package enum LearnedMeasure: Int16, CaseIterable, Sendable {
    /// Bytes a second of one transfer that nothing on this side held back.
    case rate = 1
    /// Bytes of a whole file.
    case size = 2
    /// What an attempt brought, as a share of what was left.
    case progress = 3
    /// 1 where the origin sent the rest of a file when asked for it, else the least share.
    case resume = 4
    /// Seconds of an attempt until the first byte of its answer.
    case setup = 5
    /// Bytes a second of all transfers of a replica together, while it had no slot left and no
    /// limit of its own held them back.
    case link = 6
    /// Downloads that came, by their expected bytes; how many is what counts.
    case arrival = 7
    /// 1 where an answer named byte ranges and a validator to ask for the rest by, else the least
    /// share.
    case ranges = 8
    /// Seconds from the creation of a discretionary download to its deadline, `noDeadline` without
    /// one.
    case life = 9
    /// Bytes a second of one transfer that ran while the link was slow; each is in `rate` as well.
    case slowRate = 10
    /// Bytes a second of all transfers of a replica together in a minute in which its link was
    /// slow; some are in `link` as well.
    case slowLink = 11

    /// What stands for no deadline.
    package static let noDeadline = 1.0

    /// The range of its values.
    package var scale: Sketch.Scale {
        switch self {
        case .rate, .link, .slowRate, .slowLink: .rate
        case .size, .arrival, .life: .size
        case .progress, .resume, .ranges: .share
        case .setup: .time
        }
    }
}
