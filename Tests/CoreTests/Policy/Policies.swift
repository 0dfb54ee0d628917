// Policies that several tests use.
import Core
import Testing

enum Policies {
    static let limits = PolicyLimits(running: 64, perOrigin: 6, perSession: 16)

    /// Reads a document that has to be good.
    static func read(_ text: String) throws -> Policy {
        let document = try JSON.parse(text)
        return try Policy.parse(document, defaults: limits) { $0 == "Europe/Berlin" }.get()
    }

    /// Discretionary downloads at night.
    static func nightly() throws -> Policy {
        try read(
            """
            {"windows": {"night": ["22:00-06:00"]},
             "rules": [{"name": "at-night", "match": {"is_discretionary": true},
                        "require": ["window night"]}]}
            """)
    }
}
