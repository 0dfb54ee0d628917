package import Base

/// Deadlines rounded down, so that downloads with close ones share a lane.
package enum DueBucket {
    /// The bucket of a deadline, which is never later than the deadline.
    ///
    /// A bucket has an hour for deadlines within three days, six hours for those within fourteen, a
    /// day of UTC beyond.
    ///
    /// - Parameters:
    ///   - deadline: the deadline.
    ///   - now: when the download enters its lane; a deadline keeps its bucket from then on.
    /// - Returns: the start of the bucket.
    package static func start(of deadline: Timestamp, at now: Timestamp) -> Timestamp {
        let left = deadline - now
        let hours: Int64 = left < .seconds(3 * 86_400) ? 1 : left < .seconds(14 * 86_400) ? 6 : 24
        let length = hours * 3_600_000_000
        let rest = deadline.microseconds % length
        return Timestamp(microseconds: deadline.microseconds - (rest < 0 ? rest + length : rest))
    }
}
