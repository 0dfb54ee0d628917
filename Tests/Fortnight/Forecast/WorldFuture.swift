// Other futures of a world: everything that no scheduler can know is drawn again, by the laws of
// the world.

extension World {
    /// A world that is this one up to a minute and continues like another one.
    ///
    /// - Parameters:
    ///   - other: the world whose downloads come after that.
    ///   - jobs: the state of the downloads so far.
    ///   - now: the minute.
    /// - Returns: the world, and its downloads as jobs.
    func future(
        like other: World, _ jobs: [Job], at now: Int
    ) -> (world: World, jobs: [Job]) {
        var dice = Dice(seed: other.seed, Int(truncatingIfNeeded: seed), now)
        var world = self
        let past = downloads.prefix { $0.created <= now }
        let coming = other.downloads.drop { $0.created <= now }
        var known = Array(jobs.prefix(past.count))
        world.seed = other.seed
        for place in known.indices where known[place].ended == nil {
            known[place] = known[place].drawn(&dice, sizesOf: other)
        }
        world.trouble = trouble.drawn(&dice, at: now)
        let later = coming.enumerated().map { $1.renumbered(past.count + $0) }
        world.downloads = known.map(\.download) + later
        return (world, known + later.map(Job.init))
    }
}

extension World.Trouble {
    /// This trouble as far as it has begun; the rest is drawn.
    fileprivate func drawn(_ dice: inout Dice, at now: Int) -> World.Trouble {
        let day = 24 * 60
        let next = now / day + 1
        var trouble = self
        if slowDay >= next {
            trouble.slowDay = next < 21 ? Int.random(in: next..<21, using: &dice) : slowDay
        }
        if outage.lowerBound > now {
            let last = World.minutes - day
            let first = max(World.counted.lowerBound, now + 1)
            let start = first < last ? Int.random(in: first..<last, using: &dice) : .max / 2
            trouble.outage = start..<start + 120
        }
        for (origin, span) in slowOrigins where span.lowerBound > now {
            trouble.slowOrigins[origin] = nil
            guard next < 18 else { continue }
            let start = Int.random(in: max(7, next)..<18, using: &dice) * day
            trouble.slowOrigins[Int.random(in: 0..<World.origins, using: &dice)] =
                start..<start + 3 * day
        }
        return trouble
    }
}

extension Job {
    /// A copy of this job with another size, if the size is not known exactly.
    fileprivate func drawn(_ dice: inout Dice, sizesOf world: World) -> Job {
        guard attempts == 0 else { return self }
        let bytes =
            download.expected.map { $0 / dice.lognormal(0.08) }
            ?? world.downloads[Int.random(in: world.downloads.indices, using: &dice)].bytes
        var job = Job(download.with(bytes: bytes))
        job.runAt = runAt
        return job
    }
}

extension WorldDownload {
    /// A copy of this download with another size.
    fileprivate func with(bytes: Double) -> WorldDownload {
        WorldDownload(
            number: number, created: created, origin: origin, bytes: bytes, expected: expected,
            isDiscretionary: isDiscretionary, completeBy: completeBy, isResumable: isResumable)
    }

    /// A copy of this download at another place in the order.
    fileprivate func renumbered(_ number: Int) -> WorldDownload {
        WorldDownload(
            number: number, created: created, origin: origin, bytes: bytes, expected: expected,
            isDiscretionary: isDiscretionary, completeBy: completeBy, isResumable: isResumable)
    }
}
