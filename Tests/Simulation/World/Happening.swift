import Base
import Downloads
import Scheduling

/// An event at an instant.
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
        /// The time of a kept file is over.
        case expire(Identifier)
        /// A statement arrives at the store.
        case statement(Statement, of: Int, Int, Bool)
        /// An answer arrives at its replica; nil for a time limit without one.
        case answer(Statement, Answer?)
    }

    let at: Timestamp
    /// The order of events at the same instant.
    let number: Int
    /// The replica of the event; nil for the world's.
    let replica: Int?
    let incarnation: Int
    let kind: Kind
}

/// A request of a replica to the store.
struct Statement {
    enum Kind {
        case look(LaneCursor, known: KnownRuns?)
        case claim(ClaimOrder, room: Int64?)
        case finish(RunReport)
        case compare(KnownRuns)
        case heartbeat
        /// An origin is reached.
        case reached(Int64)
        /// Registers the replica, with the store's clock as it was read before.
        case register(asked: Timestamp)
    }

    let kind: Kind
    let sentAt: Timestamp
    /// The number of the replica.
    let replica: Int64
}

/// The runs that a replica knows to hold, by its clock.
struct KnownRuns {
    let ids: Set<Identifier>
    let at: Timestamp
}

/// An answer of the store.
enum Answer {
    case page(LanePage)
    case claimed([ClaimedRun], due: [Int64: Timestamp])
    case done
    case orders([(Identifier, RunOrder)])
    case registered(Int64)
    case leaseLost
    case refused
}
