// The lanes of one signature, session, class and rank, those with begin hooks apart.
internal import Downloads

/// A list of lanes that are judged one after the other, and the open ones among them.
struct LaneBucket: Sendable {
    /// The values that its lanes have in common.
    struct Key: Hashable, Sendable {
        let signature: Int
        let session: Int64
        let schedulingClass: SchedulingClass
        let rank: Int
        /// Whether their begin hooks are asked; such lanes are kept apart so that they do not delay
        /// others.
        let isHooked: Bool
    }

    let key: Key
    /// All its lanes; removals change their order.
    private(set) var lanes: [Int64] = []
    /// The number of lanes at the start of the list that were judged in this epoch.
    private(set) var judged = 0
    /// Lanes that were found open in this epoch; some may have been removed.
    private(set) var open: [Int64] = []
    private var nextOpen = 0
    /// Counts how many times all judgements were invalidated.
    private(set) var epoch = 0

    init(_ key: Key) { self.key = key }

    /// Whether there may be an open lane that was not taken yet.
    var hasMore: Bool { judged < lanes.count || nextOpen < open.count }

    /// Adds a lane and returns its index.
    mutating func add(_ lane: Int64) -> Int {
        lanes.append(lane)
        return lanes.count - 1
    }

    /// Removes the lane at an index.
    ///
    /// - Returns: lanes that have other places now.
    mutating func remove(at place: Int) -> [(lane: Int64, place: Int)] {
        var hole = place
        var moved: [(Int64, Int)] = []
        if hole < judged {
            // Judged lanes have to stay together at the start of the list.
            judged -= 1
            if hole != judged {
                lanes[hole] = lanes[judged]
                moved.append((lanes[hole], hole))
            }
            hole = judged
        }
        let last = lanes.removeLast()
        if hole < lanes.count {
            lanes[hole] = last
            moved.append((last, hole))
        }
        return moved
    }

    /// Invalidates all judgements.
    mutating func void() {
        epoch += 1
        judged = 0
        open = []
        nextOpen = 0
    }

    /// Returns the next lane to be judged, and counts it as judged.
    mutating func nextUnjudged() -> Int64? {
        guard judged < lanes.count else { return nil }
        judged += 1
        return lanes[judged - 1]
    }

    /// Adds a lane that was found open.
    mutating func offer(_ lane: Int64) { open.append(lane) }

    /// Returns the next open lane that was not taken.
    mutating func nextOffer() -> Int64? {
        guard nextOpen < open.count else {
            if !open.isEmpty {
                open = []
                nextOpen = 0
            }
            return nil
        }
        nextOpen += 1
        return open[nextOpen - 1]
    }
}
