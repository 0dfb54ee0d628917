// What `--help` and `openapi` print.
internal import API
internal import Core

/// The texts of the program.
enum Help {
    /// The commands and every setting.
    static var text: String {
        var lines = [
            "lull: runs downloads in the background of your servers", "",
            "usage: lull [COMMAND] [--flag value ...]", "",
            "commands",
            "  serve          serve the API and run downloads (default)",
            "  migrate        bring the database to this program's schema, then end",
            "  keys           create --app NAME [--scope SCOPE]... | list | revoke ID |",
            "                 limit --app NAME [--requests-per-second N] [--queued N]",
            "                 scopes: " + KeyScope.allCases.map(\.rawValue).joined(separator: ", "),
            "  healthcheck    exit 0 if the service on this machine is ready",
            "  check-config   print the settings in force, secrets masked",
            "  openapi        print openapi.yaml",
            "  version        print the version", "",
            "settings: a flag, or the environment; …_FILE names a file for secrets",
        ]
        for setting in Setting.all {
            lines.append("  \(setting.flag), \(setting.name)")
            let standard = setting.standard.map { " (\($0))" } ?? ""
            lines.append("      \(setting.help)\(standard)")
        }
        return lines.joined(separator: "\n")
    }

    /// The description of the API that this program serves.
    static var openAPI: String { String(decoding: APIDescription.bytes, as: UTF8.self) }
}

/// `lull check-config`.
enum CheckConfig {
    /// Prints each setting with its value.
    static func run(_ values: SettingValues) {
        for setting in Setting.all {
            let value = values[setting.name]
            let shown = setting.isSecret && value != nil ? "********" : value ?? ""
            let origin = values.isSet(setting.name) ? "" : "  # default"
            print("\(setting.name)=\(shown)\(origin)")
        }
    }
}
