/// The data directory has no database, and none is named.
struct NoDeployment: Error, CustomStringConvertible {
    /// The data directory.
    let directory: String

    var description: String {
        "there is no database in \(directory): start lull serve first, or set LULL_DATA_DIR or "
            + "LULL_DATABASE_URL to those of the service"
    }
}
