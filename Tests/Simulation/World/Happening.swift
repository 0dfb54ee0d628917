import Core

/// Something that comes at an instant.
struct Happening {
    enum Kind {
        case create(Int)
        case order(Identifier, RunOrder)
        case resumeDownload(Identifier)
        case tick(Timestamp)
        case runEnds(Identifier, fence: Int64)
        case heartbeat
        case watch
        case reap
        case pause, goOn, crash, restart, drain
        case jump(Duration)
        case diskBreaks(Int), diskFills(Int, Double), diskMends(Int)
        /// The time of a file is over.
        case expire(Identifier)
        /// A statement reaches the store.
        case statement(Statement, of: Int, Int, Bool)
        /// An answer reaches its replica; nil for a time limit without one.
        case answer(Statement, Answer?)
    }

    let at: Timestamp
    /// Orders what comes at the same instant.
    let number: Int
    /// Whose it is; nil for the world's.
    let replica: Int?
    let incarnation: Int
    let kind: Kind
}

/// What a replica asks of the store.
struct Statement {
    enum Kind {
        case look(LaneCursor, known: KnownRuns?)
        case claim(ClaimOrder, room: Int64?)
        case finish(RunReport)
        case compare(KnownRuns)
        case heartbeat
        /// An origin is reached.
        case reached(Int64)
        /// With the store's clock as it was read before.
        case register(asked: Timestamp)
    }

    let kind: Kind
    let sentAt: Timestamp
    /// Under which number.
    let replica: Int64
}

/// What a replica knows to hold, by its clock.
struct KnownRuns {
    let ids: Set<Identifier>
    let at: Timestamp
}

/// What the store answers.
enum Answer {
    case page(LanePage)
    case claimed([ClaimedRun], due: [Int64: Timestamp])
    case done
    case orders([(Identifier, RunOrder)])
    case registered(Int64)
    case leaseLost
    case refused
}
