// The first instant at which several requirements are met together.
internal import Base

/// The least fixpoint of the openings of requirements: each moves the instant forward until none
/// does.
struct KnownOpening {
    /// The time ahead over which openings are searched.
    static let horizon = Duration.seconds(56 * 86_400)
    /// The most rounds over all requirements.
    static let roundsAtMost = 256
    /// The most changes that are followed one by one.
    static let stepsAtMost = 512

    /// The first instant from a start on that none of the functions moves forward.
    ///
    /// - Parameters:
    ///   - start: where to begin.
    ///   - openings: for each, the first instant from one on at which it is met; never earlier
    ///     for a later instant.
    /// - Returns: nil where they do not meet within eight weeks, or one is not known.
    static func first(
        from start: Timestamp, of openings: [(Timestamp) -> Timestamp?]
    ) -> Timestamp? {
        let end = start + horizon
        var instant = start
        for _ in 0..<roundsAtMost {
            let before = instant
            for opening in openings {
                guard let next = opening(instant), next <= end else { return nil }
                instant = max(instant, next)
            }
            if instant == before { return instant }
        }
        return nil
    }
}
