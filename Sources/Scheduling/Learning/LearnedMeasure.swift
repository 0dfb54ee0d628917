/// A quantity that is learned; the raw value is its number in the store.
package enum LearnedMeasure: Int16, CaseIterable, Sendable {
    /// Bytes a second of one transfer that was not held back on this side.
    case rate = 1
    /// Bytes of a whole file.
    case size = 2
    /// The share of the missing bytes that an attempt transferred.
    case progress = 3
    /// 1 if the origin sent the rest of a file when asked for it; if not, the least share.
    case resume = 4
    /// Seconds of an attempt until the first byte of its answer.
    case setup = 5
    /// Bytes a second of all transfers of a replica together, while all slots were taken and no
    /// limit of its own held them back.
    case link = 6
    /// Arrived downloads with their expected bytes; only their number is used.
    case arrival = 7
    /// 1 if an answer offered byte ranges and a validator for a later request; if not, the least
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

    /// The value that stands for no deadline.
    package static let noDeadline = 1.0

    /// The scale of its values.
    package var scale: Sketch.Scale {
        switch self {
        case .rate, .link, .slowRate, .slowLink: .rate
        case .size, .arrival, .life: .size
        case .progress, .resume, .ranges: .share
        case .setup: .time
        }
    }
}
