/// The texts of the settings, which are read at the start and at each SIGHUP.
struct SettingSource: Sendable {
    /// The environment of the process.
    let environment: [String: String]
    /// The flags, by their names in the environment.
    let flags: [String: String]

    /// Reads the configuration file, the environment, the flags and the files that they name.
    func read() throws(ConfigurationError) -> SettingValues {
        try SettingValues(environment: environment, flags: flags)
    }
}
