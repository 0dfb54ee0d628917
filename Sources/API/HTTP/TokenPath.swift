/// Paths whose last part is a secret that takes the place of a key.
enum TokenPath {
    private static let beginnings = [ContentEndpoints.linkPath, TriggerEndpoints.callPath]

    /// A path as it is shown, without such a secret.
    static func hidden(_ path: String) -> String {
        guard let beginning = beginnings.first(where: { path.hasPrefix($0) }) else { return path }
        return beginning + "***"
    }
}
