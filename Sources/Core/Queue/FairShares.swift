// Shares of apps, of the sessions of an app, and of the origins of a session.

/// The three levels of fair shares.
package struct FairShares: Equatable, Sendable {
    /// What a download of unknown size counts as until its end.
    package static let unknownBytes = 1_048_576.0
    /// A request costs something however little it brings.
    package static let leastBytes = 65_536.0
    private static let levelsAtMost = 16_384

    private var apps = FairShare()
    private var sessions = IndexedValues<Int64, FairShare>()
    private var origins = IndexedValues<Int64, FairShare>()
    /// How often nothing waited that could be served; each level takes it when it is served next.
    private var rests = 0

    /// Nothing was served yet.
    package init() {}

    /// What a download counts as.
    ///
    /// - Parameter bytes: what it is to bring, or has brought; 0 if unknown.
    /// - Returns: bytes.
    package static func cost(bytes: Int64) -> Double {
        bytes > 0 ? max(leastBytes, Double(bytes)) : unknownBytes
    }

    /// By what an app stands among others.
    package func place(ofApp app: Int64) -> Double { apps.place(of: app) }

    /// By what a session stands among those of its app.
    package func place(ofSession session: Int64, app: Int64) -> Double {
        sessions[app]?.place(of: session) ?? 0
    }

    /// By what an origin stands among those of a session.
    package func place(ofOrigin origin: Int64, session: Int64) -> Double {
        origins[session]?.place(of: origin) ?? 0
    }

    /// By how much an app is ahead of what was served last, in bytes; below zero for behind.
    func lead(ofApp app: Int64) -> Double {
        apps.place(of: app) - apps.now(afterRests: rests)
    }

    /// How far a session is ahead among the sessions of its app.
    func lead(ofSession session: Int64, app: Int64) -> Double {
        sessions[app].map { $0.place(of: session) - $0.now(afterRests: rests) } ?? 0
    }

    /// How far an origin is ahead among the origins of a session.
    func lead(ofOrigin origin: Int64, session: Int64) -> Double {
        origins[session].map { $0.place(of: origin) - $0.now(afterRests: rests) } ?? 0
    }

    /// Nothing waits that could be served: nobody is ahead from here on.
    package mutating func rest() { rests += 1 }

    /// By what the first of those that wait beside a flow stands, on each level; nil for none.
    package struct Least: Sendable {
        var app: Double?
        var session: Double?
        var origin: Double?

        /// Nobody waits beside it.
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
        // A level that is forgotten begins anew, with all its flows equal.
        let isFull =
            sessions.count > FairShares.levelsAtMost || origins.count > FairShares.levelsAtMost
        if sessions.count > FairShares.levelsAtMost { sessions = IndexedValues() }
        if origins.count > FairShares.levelsAtMost { origins = IndexedValues() }
        return isFull
    }

    /// Corrects the estimate of one that is counted.
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
