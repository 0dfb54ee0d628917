// The address of the service and the key of its client; the service knows the names of these
// settings too.

/// The settings of the client; options take precedence over the environment.
package struct ClientSettings: Sendable {
    /// An environment variable of the client.
    package struct Variable: Sendable {
        /// The variable's name.
        package let name: String
        /// The meaning of the variable.
        package let help: String
    }

    /// All variables that the client reads; the service does not take them for misspelt settings.
    package static let variables = [
        Variable(
            name: "LULL_SERVER",
            help: "address of the service for client commands: http, https or unix:/PATH; unset: "
                + "http://127.0.0.1:8080"),
        Variable(name: "LULL_KEY", help: "the API key that client commands send"),
        Variable(
            name: "LULL_KEY_FILE", help: "a file with the API key, which is used before LULL_KEY"),
    ]

    /// The address of the service.
    package let server: ServerAddress
    /// The API key; nil for none.
    package let key: String?

    init(server: ServerAddress, key: String?) { (self.server, self.key) = (server, key) }

    /// Reads the options and the environment.
    ///
    /// - Throws: `ClientFailure` for an address that is none, or a file that cannot be read.
    package init(
        _ arguments: Arguments, environment: [String: String]
    ) throws(ClientFailure) {
        let given = arguments["--server"].last ?? environment["LULL_SERVER"]
        server = try ServerAddress(given.flatMap { $0.isEmpty ? nil : $0 } ?? ServerAddress.usual)
        let file = arguments["--key-file"].last ?? environment["LULL_KEY_FILE"]
        if let file, !file.isEmpty {
            key = try FileText.secret(file)
        } else {
            key = environment["LULL_KEY"].flatMap { $0.isEmpty ? nil : $0 }
        }
        if let key, !key.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) {
            throw .usage(
                "the API key has characters that are in no key; check LULL_KEY or its file")
        }
    }
}
