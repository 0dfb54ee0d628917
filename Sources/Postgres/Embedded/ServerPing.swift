// Asks whether a server answers.
internal import CPostgres

/// The answer of a server to PQping.
enum ServerPing {
    /// It accepts connections.
    case accepts
    /// It is starting, recovering or stopping.
    case rejects
    /// No server answers.
    case silent

    /// Asks a server for its state; blocks for two seconds at most.
    static func send(to url: String) -> ServerPing {
        switch unsafe PQping(url + "&connect_timeout=2") {
        case PQPING_OK: .accepts
        case PQPING_REJECT: .rejects
        default: .silent
        }
    }
}
