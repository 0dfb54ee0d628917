/// A setting of the service as help, completion and pages show it.
package struct SettingLine: Sendable {
    /// The name in the environment.
    package let name: String
    /// The flag with the same name.
    package let flag: String
    /// The default value; nil for none.
    package let standard: String?
    /// The meaning of the setting, one line.
    package let help: String
    /// Whether `…_FILE` may name a file with the value.
    package let isSecret: Bool
    /// Whether SIGHUP applies a new value.
    package let isLive: Bool

    /// Creates a setting.
    package init(
        name: String, flag: String, standard: String?, help: String, isSecret: Bool, isLive: Bool
    ) {
        self.name = name
        self.flag = flag
        self.standard = standard
        self.help = help
        self.isSecret = isSecret
        self.isLive = isLive
    }
}
