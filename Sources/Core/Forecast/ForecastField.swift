// The queue of a forecast with small numbers in place of keys: what every seed shares.

/// Lanes, gates and sizes of a forecast, prepared once.
struct ForecastField: Sendable {
    /// One waiting batch of a lane.
    struct Batch: Sendable {
        let runAt: Timestamp
        let count: Int
        /// Bytes of those whose size is known.
        let bytes: Double
        let unsized: Int
        /// Downloads that are begun as one, one after the other in one slot.
        let chunk: Int
    }

    /// What a lane's downloads pass through and need.
    struct Lane: Sendable {
        let candidate: AdmissionCandidate
        let batches: [Batch]
        let classNumber: Int
        /// Places of its gates: origin, session, app; -1 for none.
        let gates: (origin: Int32, session: Int32, app: Int32)
        let sizes: LearnedEstimate?
        let rates: LearnedEstimate?
        let progress: Double
        let setup: Double
    }

    let lanes: [Lane]
    /// How many more each gate lets through at the start.
    let rooms: [Int32]
    let tree: ForecastTree
    /// The classes in the order in which they are served.
    let classes: [SchedulingClass]
    /// What runs at the start: seconds that are left, and its gates.
    let running: [(left: Double, gates: [Int32], classNumber: Int)]
    let slots: Int
    /// The part of them that a lower class keeps.
    let floor: Double
    let situation: Situation

    /// Batches are cut into about so many pieces in all.
    private static let pieces = 20_000

    init(_ input: ForecastInput) {
        var builder = Builder(input)
        let chunk = max(1, input.waiting / ForecastField.pieces)
        lanes = input.lanes.map { builder.lane($0, chunk: chunk) }
        running = input.runs.map { builder.run($0) }
        rooms = builder.rooms
        classes = Builder.classes
        tree = builder.tree(lanes: input.lanes)
        slots = max(1, input.slots)
        floor = input.situation.policy.shares.discretionaryFloor
        situation = input.situation
    }

    /// Turns keys into places.
    private struct Builder {
        static let classes = SchedulingClass.allCases.sorted { $0.rawValue < $1.rawValue }
        private let input: ForecastInput
        private(set) var rooms: [Int32] = []
        private var gates: [GateKey: Int32] = [:]
        private var apps: [LaneCursor.AppClass: Int32] = [:]
        private var appClasses: [Int32] = []
        private var sessions: [LaneCursor.Group: Int32] = [:]
        private var sessionApps: [Int32] = []
        private var laneSessions: [Int32] = []
        private var ranks: [Int8] = []

        init(_ input: ForecastInput) { self.input = input }

        private mutating func gate(_ key: GateKey, limit: Int?, running: Int) -> Int32 {
            guard let limit else { return -1 }
            if let known = gates[key] { return known }
            let place = Int32(rooms.count)
            gates[key] = place
            rooms.append(Int32(clamping: max(0, limit - running)))
            return place
        }

        mutating func lane(_ lane: ForecastLane, chunk: Int) -> Lane {
            let candidate = lane.candidate
            let limits = input.situation.policy.limits
            let originLimit = candidate.origin.limit ?? limits.origin(candidate.originName)
            let places = (
                origin: gate(
                    .origin(lane.flow.origin), limit: originLimit,
                    running: candidate.origin.running),
                session: gate(
                    .session(lane.flow.session),
                    limit: Admission.least(
                        candidate.sessionGate.limit, limits.session(candidate.session)),
                    running: candidate.sessionGate.running),
                app: gate(
                    .app(lane.flow.app),
                    limit: Admission.least(
                        candidate.appGate.limit, limits.app(candidate.app)),
                    running: candidate.appGate.running)
            )
            enter(lane)
            let now = input.situation.now
            let learned = input.situation.learned
            // A batch stays in as many pieces as its gates have places.
            let width = 4 * max(1, min(input.slots, originLimit))
            return Lane(
                candidate: candidate,
                batches: lane.batches.map {
                    Batch(
                        runAt: $0.runAt, count: $0.count, bytes: $0.bytes, unsized: $0.unsized,
                        chunk: max(1, min(chunk, $0.count / width)))
                },
                classNumber: Builder.classes.firstIndex(of: candidate.schedulingClass) ?? 0,
                gates: places,
                sizes: learned.size(
                    session: lane.flow.session, origin: lane.flow.origin, at: now),
                rates: learned.rate(origin: lane.flow.origin, at: now),
                progress: max(0.1, learned.progress(origin: lane.flow.origin, at: now)),
                setup: learned.setup(origin: lane.flow.origin, at: now))
        }

        private mutating func enter(_ lane: ForecastLane) {
            let kind = lane.candidate.schedulingClass
            let app = LaneCursor.AppClass(kind, app: lane.flow.app)
            let session = LaneCursor.Group(kind, session: lane.flow.session)
            if apps[app] == nil {
                apps[app] = Int32(appClasses.count)
                appClasses.append(Int32(Builder.classes.firstIndex(of: kind) ?? 0))
            }
            if sessions[session] == nil {
                sessions[session] = Int32(sessionApps.count)
                sessionApps.append(apps[app] ?? 0)
            }
            laneSessions.append(sessions[session] ?? 0)
            ranks.append(Int8(clamping: lane.candidate.rank))
        }

        func run(_ run: ForecastRun) -> (left: Double, gates: [Int32], classNumber: Int) {
            let bytes = Double(run.bytesLeft ?? 1 << 20)
            let rate = Double(max(1, run.rate ?? TransferNeed.assumedRate))
            return (
                bytes / rate,
                [.origin(run.flow.origin), .session(run.flow.session), .app(run.flow.app)]
                    .compactMap { gates[$0] },
                Builder.classes.firstIndex(of: run.schedulingClass) ?? 0
            )
        }

        func tree(lanes: [ForecastLane]) -> ForecastTree {
            ForecastTree(
                classes: Builder.classes.count, apps: appClasses, sessions: sessionApps,
                lanes: laneSessions, ranks: ranks)
        }
    }
}
