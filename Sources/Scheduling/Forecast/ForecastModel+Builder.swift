// Numbers the lanes, gates and flows of a forecast's input.
internal import Base
internal import Downloads

extension ForecastModel {
    /// Builds a model: gives each key a small number.
    struct Builder {
        private let input: ForecastInput
        private(set) var rooms: [Int32] = []
        private(set) var paces: [Pace] = []
        private(set) var shape = ForecastTree.Shape(classes: ServingClass.allCases.count)
        private var gates: [GateKey: Int32] = [:]
        private var apps: [[Int64: Int32]]
        private var sessions: [[Int64: Int32]]
        private var flows: [LaneFlow: Int32] = [:]
        private var guarded: [ServingClass: [Int64: Int32]] = [:]
        private var origins: [Int64: Int] = [:]
        private let quarters: [Timestamp]
        private let lanesByFlow: [FlowKey: ForecastLane]
        private let isLinkSlow: Bool
        /// The situation with transfers at their usual speed.
        private let usual: Situation

        /// The key by which a running download finds a waiting lane with its flow and class.
        private struct FlowKey: Hashable {
            let flow: LaneFlow
            let kind: SchedulingClass
        }

        init(_ input: ForecastInput) {
            self.input = input
            usual = input.situation.atUsualPace
            lanesByFlow = Builder.lanesByFlow(input)
            isLinkSlow = input.situation.learned.isLinkSlow(at: input.situation.now)
            quarters = ForecastModel.quarters(from: input.situation.now)
            apps = ServingClass.allCases.map { _ in [:] }
            sessions = apps
        }

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
            let gates = (
                origin: gate(
                    .origin(lane.flow.origin), limit: originLimit,
                    running: candidate.origin.running),
                session: gate(
                    .session(lane.flow.session),
                    limit: PolicyLimits.least(
                        candidate.sessionGate.limit, limits.session(candidate.session)),
                    running: candidate.sessionGate.running),
                app: gate(
                    .app(lane.flow.app),
                    limit: PolicyLimits.least(
                        candidate.appGate.limit, limits.app(candidate.app)),
                    running: candidate.appGate.running)
            )
            // A batch is cut into at least as many pieces as can run at once.
            let width = 4 * max(1, min(input.slots, originLimit))
            return Lane(
                candidate: candidate,
                batches: lane.batches.map {
                    Batch(
                        runAt: $0.runAt, count: $0.count, bytes: $0.bytes, unsized: $0.unsized,
                        chunk: max(1, min(chunk, $0.count / width)))
                },
                place: place(lane), gates: gates,
                sizes: input.situation.learned.size(
                    session: lane.flow.session, origin: lane.flow.origin,
                    at: input.situation.now),
                pace: pace(ofOrigin: lane.flow.origin))
        }

        private mutating func place(_ lane: ForecastLane) -> Place {
            let candidate = lane.candidate
            let kind = ServingClass(candidate.schedulingClass)
            let near = ServingClass(near: candidate.schedulingClass)
            let deadline = candidate.deadline
            let isDated = deadline.begin != nil || deadline.complete != nil
            let shares = input.situation.policy.shares
            let latest = isDated && !candidate.isOverloaded ? latestBegin(of: candidate) : nil
            return Place(
                classNumber: kind.rawValue, flow: flow(lane.flow, kind.rawValue),
                guardedClass: near.rawValue,
                guardedFlow: latest == nil ? -1 : guardedFlow(ofApp: lane.flow.app, near),
                guardedFrom: latest.map { seconds(to: $0) } ?? .infinity,
                deadline: [deadline.begin, deadline.complete].compactMap(\.self).min()
                    .map { seconds(to: $0) } ?? .infinity,
                weights: (
                    shares.apps.value(of: candidate.app) ?? 1,
                    shares.sessions.value(of: candidate.session) ?? 1
                ))
        }

        /// The time at which the lane becomes guarded, that is, served by its deadline: by the
        /// present pace or, if that does not guard it, by the usual one.
        private func latestBegin(of candidate: AdmissionCandidate) -> Timestamp? {
            let situation = input.situation
            let present = DeadlineGuard(candidate, in: situation)
            guard situation.learned.pace < 1, !present.holds(at: situation.now) else {
                return present.latestBegin
            }
            return DeadlineGuard(candidate, in: usual).latestBegin
        }

        private func seconds(to instant: Timestamp) -> Double {
            Double((instant - input.situation.now).wholeMicroseconds) / 1e6
        }

        private mutating func app(_ number: Int64, _ kind: Int) -> Int32 {
            if let known = apps[kind][number] { return known }
            let place = Int32(shape.apps.count)
            apps[kind][number] = place
            shape.apps.append(Int32(kind))
            shape.leads.apps.append(input.shares.lead(ofApp: number))
            return place
        }

        private mutating func flow(_ flow: LaneFlow, _ kind: Int) -> Int32 {
            // One session has downloads of several classes: the class is a part of the key.
            var key = flow
            key.app = Int64(kind)
            (key.weight, key.sessionWeight) = (1, 1)
            if let known = flows[key] { return known }
            let app = app(flow.app, kind)
            let session: Int32
            if let known = sessions[kind][flow.session] {
                session = known
            } else {
                session = Int32(shape.sessions.count)
                sessions[kind][flow.session] = session
                shape.sessions.append(app)
                shape.leads.sessions.append(
                    input.shares.lead(ofSession: flow.session, app: flow.app))
            }
            let place = Int32(shape.flows.count)
            flows[key] = place
            shape.flows.append(session)
            shape.leads.flows.append(
                input.shares.lead(ofOrigin: flow.origin, session: flow.session))
            return place
        }

        /// The flow of guarded lanes: they are served by deadline, over all sessions of an app.
        private mutating func guardedFlow(ofApp number: Int64, _ kind: ServingClass) -> Int32 {
            if let known = guarded[kind]?[number] { return known }
            let app = app(number, kind.rawValue)
            let session = Int32(shape.sessions.count)
            shape.sessions.append(app)
            shape.leads.sessions.append(0)
            let place = Int32(shape.flows.count)
            shape.flows.append(session)
            shape.leads.flows.append(0)
            guarded[kind, default: [:]][number] = place
            return place
        }

        private mutating func pace(ofOrigin origin: Int64) -> Int {
            if let known = origins[origin] { return known }
            let learned = input.situation.learned
            let now = input.situation.now
            origins[origin] = paces.count
            paces.append(
                Pace(
                    rates: quarters.map { learned.usualRate(origin: origin, at: $0) },
                    progress: max(0.1, learned.progress(origin: origin, at: now)),
                    setup: learned.setup(origin: origin, at: now)))
            return paces.count - 1
        }

        /// For each flow and class with running downloads, its first waiting lane without a
        /// deadline.
        private static func lanesByFlow(_ input: ForecastInput) -> [FlowKey: ForecastLane] {
            let wanted = Set(input.runs.map { FlowKey(flow: $0.flow, kind: $0.schedulingClass) })
            var found: [FlowKey: ForecastLane] = [:]
            guard !wanted.isEmpty else { return found }
            for lane in input.lanes where lane.candidate.deadline == CandidateDeadline() {
                let key = FlowKey(flow: lane.flow, kind: lane.candidate.schedulingClass)
                if wanted.contains(key), found[key] == nil { found[key] = lane }
            }
            return found
        }

        /// Adds a lane in which a run continues after a stop, with the rules of the lanes that wait
        /// in its flow; it is served before the oldest of them.
        private mutating func stopLane(_ run: ForecastRun, _ lanes: inout [Lane]) -> Int32 {
            guard var stopped = lanesByFlow[FlowKey(flow: run.flow, kind: run.schedulingClass)]
            else {
                return -1
            }
            let oldest = stopped.batches.first?.runAt ?? stopped.candidate.runAt
            stopped.candidate.runAt = min(oldest, input.situation.now) - .seconds(1)
            stopped.candidate.createdAt = min(stopped.candidate.createdAt, stopped.candidate.runAt)
            stopped.candidate.need = 0
            stopped.batches = [
                ForecastLane.Batch(runAt: stopped.candidate.runAt, count: 1, bytes: 1, unsized: 0)
            ]
            lanes.append(lane(stopped, chunk: 1))
            return Int32(lanes.count - 1)
        }

        mutating func run(_ run: ForecastRun, _ lanes: inout [Lane]) -> Running {
            let bytes = Double(run.bytesLeft ?? 1 << 20)
            let usual = input.situation.learned.usualRate(
                origin: run.flow.origin, at: input.situation.now)?.quantile(0.5)
            // The rate of a run during a slow link does not tell its rate after that.
            let measured = isLinkSlow && usual != nil ? nil : run.rate
            let rate = max(
                measured.map(Double.init) ?? usual ?? Double(TransferNeed.assumedRate),
                (usual ?? 1) * Builder.slowest)
            return Running(
                left: bytes / rate, rate: rate,
                gates: [.origin(run.flow.origin), .session(run.flow.session), .app(run.flow.app)]
                    .compactMap { gates[$0] },
                classNumber: ServingClass(run.schedulingClass).rawValue,
                lane: stopLane(run, &lanes))
        }

        /// Future arrivals of a flow are cut into this number of parts by the time to their
        /// deadline.
        private static let lives = 8

        /// The parts of a flow's future arrivals, each with the seconds from creation to deadline.
        private func lives(
            _ flow: LaneFlow, _ kind: SchedulingClass
        ) -> [(part: Double, life: Double)] {
            guard kind == .discretionary,
                let known = input.situation.learned.life(
                    session: flow.session, origin: flow.origin, at: input.situation.now)
            else { return [(1, .infinity)] }
            let part = 1 / Double(Builder.lives)
            let lives = (0..<Builder.lives).map { known.quantile((Double($0) + 0.5) * part) }
            let undated = lives.count { $0 < 2 * LearnedMeasure.noDeadline }
            let dated = lives.dropFirst(undated).map { (part, $0) }
            return undated == 0 ? dated : [(part * Double(undated), .infinity)] + dated
        }

        /// The least rate of a run, as a part of the usual one, because a slower run would never
        /// end.
        private static let slowest = 0.1
        /// The most flows into which future arrivals are put.
        private static let flowsOfArrivals = 64

        /// Adds lanes for future arrivals, in the flows with the most arrivals so far.
        mutating func comers(
            _ lanes: inout [Lane]
        ) -> [(lane: Int32, kind: Int, share: Double)] {
            let now = input.situation.now
            let learned = input.situation.learned
            guard learned[.arrival].count > 0 else { return [] }
            var known: Set<LaneFlow> = []
            var flows: [(share: Double, lane: ForecastLane)] = []
            for lane in input.lanes where known.insert(lane.flow).inserted {
                let share = learned.share(
                    session: lane.flow.session, origin: lane.flow.origin, at: now)
                if share > 0 { flows.append((share, lane)) }
            }
            flows.sort {
                ($0.share, $1.lane.number) > ($1.share, $0.lane.number)
            }
            flows = Array(flows.prefix(Builder.flowsOfArrivals))
            let rest = 1 - flows.reduce(0) { $0 + $1.share }
            if rest > 0.01, var lane = input.lanes.first {
                // The rest: arrivals in flows in which no download waits now.
                lane.flow.origin = -1
                lane.candidate.origin = GateReading(limit: Int(Int32.max))
                lane.candidate.originName = nil
                lane.candidate.originKey = -1
                flows.append((rest, lane))
            }
            var found: [(lane: Int32, kind: Int, share: Double)] = []
            for (share, lane) in flows {
                for (number, kind) in SchedulingClass.allCases.enumerated() {
                    for (part, life) in lives(lane.flow, kind) {
                        found.append((Int32(lanes.count), number, share * part))
                        lanes.append(comer(like: lane, kind, life: life))
                    }
                }
            }
            return found
        }

        private mutating func comer(
            like lane: ForecastLane, _ kind: SchedulingClass, life: Double
        ) -> Lane {
            var own = lane
            own.candidate.schedulingClass = kind
            own.candidate.isDiscretionary = kind == .discretionary
            own.candidate.deadline = CandidateDeadline()
            own.candidate.guardAt = nil
            own.candidate.isOverloaded = false
            own.candidate.need = 0
            own.batches = []
            var comer = self.lane(own, chunk: 1)
            guard life < .infinity else { return comer }
            let learned = input.situation.learned
            let deadlines = input.situation.policy.deadlines
            let rate = learned.rate(origin: own.flow.origin, at: input.situation.now)?
                .quantile(deadlines.quantile)
            let sizePart = ExpectedTransfer.sizePart(isDated: true)
            let bytes = comer.sizes?.quantile(sizePart) ?? FairShares.unknownBytes
            let pace = paces[comer.pace]
            let need =
                pace.setup + bytes / pace.progress / (rate ?? Double(TransferNeed.assumedRate))
            let margin = deadlines.margin
            let spare = max(Double(margin.wholeMicroseconds) / 1e6, need / 10)
            comer.place.life = life
            comer.place.guardedLife = life - need - spare
            let near = ServingClass(near: kind)
            comer.place.guardedClass = near.rawValue
            comer.place.guardedFlow = guardedFlow(ofApp: own.flow.app, near)
            return comer
        }
    }
}
