/// What a task is for; the service keeps it among the metadata of its transfer.
enum TaskKind: String, Sendable {
    case download, data, upload
}
