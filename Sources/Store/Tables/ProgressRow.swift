// The fields of a running download's progress, each named once.
internal import Base
internal import Downloads
internal import Postgres

/// The progress of running downloads as a list of the type `run_progress`.
enum ProgressRow {
    /// The fields in the order of the type.
    static let fields: Parameters<[RunProgress]> = [
        "id": { $0.map(\.download.id) },
        "fence": { $0.map(\.fence) },
        "bytes": { $0.map(\.download.bytesReceived) },
        "total": { $0.map(\.download.bytesTotal) },
        "sent": { $0.map(\.download.bytesSent) },
        "resume": { $0.map { $0.resume.map { JSONText(JSON.object($0.json).text) } } },
        "data": { $0.map { $0.emitsEvent ? $0.download.eventData() : nil } },
        "sequence": { $0.map { Int32($0.download.sequence) } },
        "speed": { $0.map(\.download.bytesPerSecond) },
        "at": { $0.map(\.at) },
    ]
}
