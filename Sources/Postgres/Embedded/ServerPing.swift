// Whether a server answers.
internal import CPostgres

/// The state of a server; see PQping.
enum ServerPing {
    /// It accepts connections.
    case accepts
    /// It starts, recovers or stops.
    case rejects
    /// Nobody answers.
    case silent

    /// Knocks; blocks for two seconds at most.
    static func send(to url: String) -> ServerPing {
        switch unsafe PQping(url + "&connect_timeout=2") {
        case PQPING_OK: .accepts
        case PQPING_REJECT: .rejects
        default: .silent
        }
    }
}
