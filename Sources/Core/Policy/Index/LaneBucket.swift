// The lanes of one signature, session, class and rank, with begin hooks or without.

/// Lanes that are judged one after the other, and those of them that were found open.
struct LaneBucket: Sendable {
    /// What its lanes have in common.
    struct Key: Hashable, Sendable {
        let signature: Int
        let session: Int64
        let schedulingClass: SchedulingClass
        let rank: Int
        /// Their begin hooks are asked: however many these are, others are taken in turn.
        let isHooked: Bool
    }

    let key: Key
    /// All of its lanes, in no order once some have gone.
    private(set) var lanes: [Int64] = []
    /// So many from the start were judged in this epoch.
    private(set) var judged = 0
    /// Found open in this epoch and not taken yet; some may have gone.
    private(set) var open: [Int64] = []
    private var nextOpen = 0
    /// Counts how often all that was judged has become void.
    private(set) var epoch = 0

    init(_ key: Key) { self.key = key }

    /// Whether a lane of it may be open that was not taken yet.
    var hasMore: Bool { judged < lanes.count || nextOpen < open.count }

    /// Adds a lane and returns its place.
    mutating func add(_ lane: Int64) -> Int {
        lanes.append(lane)
        return lanes.count - 1
    }

    /// Removes the lane at a place.
    ///
    /// - Returns: lanes that have other places now.
    mutating func remove(at place: Int) -> [(lane: Int64, place: Int)] {
        var hole = place
        var moved: [(Int64, Int)] = []
        if hole < judged {
            // What was judged stays together before what was not.
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

    /// Everything has to be judged anew.
    mutating func void() {
        epoch += 1
        judged = 0
        open = []
        nextOpen = 0
    }

    /// The next lane that is to be judged, which counts as judged from here on.
    mutating func nextUnjudged() -> Int64? {
        guard judged < lanes.count else { return nil }
        judged += 1
        return lanes[judged - 1]
    }

    /// A lane was found open.
    mutating func offer(_ lane: Int64) { open.append(lane) }

    /// The next one that was found open and was not taken.
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
