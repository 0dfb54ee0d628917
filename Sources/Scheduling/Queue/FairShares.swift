// Shares of apps, of the sessions of an app, and of the origins of a session.

/// The three levels of fair shares.
package struct FairShares: Equatable, Sendable {
    /// The cost of a download of unknown size until its end, in bytes.
    package static let unknownBytes = 1_048_576.0
    /// The least cost of a download, in bytes, because every request has a cost.
    package static let leastBytes = 65_536.0
    private static let levelsAtMost = 16_384

    private var apps = FairShare()
    private var sessions = IndexedValues<Int64, FairShare>()
    private var origins = IndexedValues<Int64, FairShare>()
    /// The number of times that no download waited that could be served; a level applies the rests
    /// when it is served next.
    private var rests = 0

    /// Creates shares of which nothing was served.
    package init() {}

    /// The cost of a download with this number of bytes.
    ///
    /// - Parameter bytes: what it is to bring, or has brought; 0 if unknown.
    /// - Returns: bytes.
    package static func cost(bytes: Int64) -> Double {
        bytes > 0 ? max(leastBytes, Double(bytes)) : unknownBytes
    }

    /// The position of an app among all apps.
    package func place(ofApp app: Int64) -> Double { apps.place(of: app) }

    /// The position of a session among those of its app.
    package func place(ofSession session: Int64, app: Int64) -> Double {
        sessions[app]?.place(of: session) ?? 0
    }

    /// The position of an origin among those of a session.
    package func place(ofOrigin origin: Int64, session: Int64) -> Double {
        origins[session]?.place(of: origin) ?? 0
    }

    /// The lead of an app over the app that was served last, in bytes; below zero if it is behind.
    func lead(ofApp app: Int64) -> Double {
        apps.place(of: app) - apps.now(afterRests: rests)
    }

    /// The lead of a session among the sessions of its app.
    func lead(ofSession session: Int64, app: Int64) -> Double {
        sessions[app].map { $0.place(of: session) - $0.now(afterRests: rests) } ?? 0
    }

    /// The lead of an origin among the origins of a session.
    func lead(ofOrigin origin: Int64, session: Int64) -> Double {
        origins[session].map { $0.place(of: origin) - $0.now(afterRests: rests) } ?? 0
    }

    /// Notes that no download waits that could be served: from here on no flow is ahead.
    package mutating func rest() { rests += 1 }

    /// The position of the first other waiting member on each level; nil for none.
    package struct Least: Sendable {
        var app: Double?
        var session: Double?
        var origin: Double?

        /// Creates a value without other members.
        package init() {}
    }

    /// Counts a download that begins.
    ///
    /// - Returns: whether other flows were forgotten for it.
    @discardableResult
    package mutating func serve(
        _ flow: LaneFlow, bytes: Double, beside least: Least = Least()
    ) -> Bool {
        let rests = rests
        apps.rest(upTo: rests)
        apps.serve(flow.app, bytes: bytes, weight: flow.weight, beside: least.app)
        sessions.change(flow.app, default: FairShare()) {
            $0.rest(upTo: rests)
            $0.serve(
                flow.session, bytes: bytes, weight: flow.sessionWeight, beside: least.session)
        }
        origins.change(flow.session, default: FairShare()) {
            $0.rest(upTo: rests)
            $0.serve(flow.origin, bytes: bytes, beside: least.origin)
        }
        // A level that was forgotten begins anew, with equal flows.
        let isFull =
            sessions.count > FairShares.levelsAtMost || origins.count > FairShares.levelsAtMost
        if sessions.count > FairShares.levelsAtMost { sessions = IndexedValues() }
        if origins.count > FairShares.levelsAtMost { origins = IndexedValues() }
        return isFull
    }

    /// Corrects the estimate for a download that was counted.
    package mutating func correct(_ flow: LaneFlow, by bytes: Double) {
        let rests = rests
        apps.rest(upTo: rests)
        apps.correct(flow.app, by: bytes, weight: flow.weight)
        sessions.change(flow.app) {
            $0.rest(upTo: rests)
            $0.correct(flow.session, by: bytes, weight: flow.sessionWeight)
        }
        origins.change(flow.session) {
            $0.rest(upTo: rests)
            $0.correct(flow.origin, by: bytes)
        }
    }
}
