/// The names under which the service keeps what a later run of the program needs of a task.
enum MetadataKey {
    /// Marks the transfers of this module; others of the session are left alone.
    static let mark = "lull.urlsession"
    static let identifier = "lull.task"
    static let kind = "lull.kind"
    static let file = "lull.file"
    /// Marks a suspended download that resume data name, and that is no task.
    static let paused = "lull.paused"
}
