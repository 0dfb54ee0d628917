// The demands of a client on the content, beyond those of the protocol.
package import Base

/// The demands of a session or a download, each nil if absent.
package struct ContentRules: Equatable, Sendable {
    /// Whether a body of unproven length fails; false by default.
    package var requiresVerifiedLength: Bool?
    /// Whether content fails if its length differs from the expected one; false by default.
    package var requiresExpectedLength: Bool?
    /// The treatment of a changed source; `restart` by default.
    package var onSourceChange: SourceChange?
    /// The most bytes that the content may have; nil for no bound.
    package var maximumBytes: Int64?
    /// The fewest bytes that the content may have; nil for no bound.
    package var minimumBytes: Int64?
    /// The types that the content may have, as `MediaRange` reads them; nil for all.
    package var acceptedTypes: [String]?

    /// The names of the members in documents.
    package static let members = [
        "require_verified_length", "require_expected_length", "on_source_change", "max_bytes",
        "min_bytes", "accept_content_types",
    ]

    /// The upper bound of lengths: the limit of exact integers in JSON.
    package static let lengthLimit: Int64 = 1 << 53

    /// Creates rules without demands.
    package init() {}

    /// Reads the members of a session or a download.
    package init(reading reader: inout FieldReader) {
        requiresVerifiedLength = reader.bool("require_verified_length")
        requiresExpectedLength = reader.bool("require_expected_length")
        maximumBytes = reader.integer("max_bytes", in: 1...ContentRules.lengthLimit)
        minimumBytes = reader.integer("min_bytes", in: 1...ContentRules.lengthLimit)
        if let least = minimumBytes, let most = maximumBytes, least > most {
            reader.refuse("min_bytes", "must not be above max_bytes")
        }
        acceptedTypes = MediaRange.read("accept_content_types", &reader)
        onSourceChange = reader.word("on_source_change", of: SourceChange.self)
    }

    /// The demands; another value supplies each missing demand.
    package func filled(from other: ContentRules) -> ContentRules {
        var rules = self
        rules.requiresVerifiedLength = requiresVerifiedLength ?? other.requiresVerifiedLength
        rules.requiresExpectedLength = requiresExpectedLength ?? other.requiresExpectedLength
        rules.onSourceChange = onSourceChange ?? other.onSourceChange
        rules.maximumBytes = maximumBytes ?? other.maximumBytes
        rules.minimumBytes = minimumBytes ?? other.minimumBytes
        rules.acceptedTypes = acceptedTypes ?? other.acceptedTypes
        return rules
    }

    /// Takes the values that a patch names.
    package mutating func take(_ other: ContentRules, naming isNamed: (String) -> Bool) {
        if isNamed("require_verified_length") {
            requiresVerifiedLength = other.requiresVerifiedLength
        }
        if isNamed("require_expected_length") {
            requiresExpectedLength = other.requiresExpectedLength
        }
        if isNamed("on_source_change") { onSourceChange = other.onSourceChange }
        if isNamed("max_bytes") { maximumBytes = other.maximumBytes }
        if isNamed("min_bytes") { minimumBytes = other.minimumBytes }
        if isNamed("accept_content_types") { acceptedTypes = other.acceptedTypes }
    }

    /// The members as a download stores them.
    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("require_verified_length", &requiresVerifiedLength)
        members.visit("require_expected_length", &requiresExpectedLength)
        members.visit("on_source_change", &onSourceChange)
        members.visit("max_bytes", &maximumBytes)
        members.visit("min_bytes", &minimumBytes)
        members.visit("accept_content_types", &acceptedTypes)
    }

    /// Adds the set members to a document that is stored.
    package func write(to object: inout JSONObject) {
        object["require_verified_length"] = requiresVerifiedLength.map { .bool($0) }
        object["require_expected_length"] = requiresExpectedLength.map { .bool($0) }
        object["on_source_change"] = onSourceChange.map { .string($0.rawValue) }
        object["max_bytes"] = maximumBytes.map { .integer($0) }
        object["min_bytes"] = minimumBytes.map { .integer($0) }
        object["accept_content_types"] = acceptedTypes.map { .array($0.map { .string($0) }) }
    }

    /// Writes the members in force into a resource; the optional ones only if they are set.
    func write(to writer: inout JSONWriter) {
        writer.member("require_verified_length", requiresVerifiedLength ?? false)
        writer.member("require_expected_length", requiresExpectedLength ?? false)
        writer.member("on_source_change", (onSourceChange ?? .restart).rawValue)
        writer.member("max_bytes", maximumBytes)
        if let minimumBytes { writer.member("min_bytes", minimumBytes) }
        if let acceptedTypes { writer.member("accept_content_types", acceptedTypes) }
    }
}
