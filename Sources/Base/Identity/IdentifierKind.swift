/// The kind of an identified thing; the raw value is the prefix of the text form.
package enum IdentifierKind: String, Sendable {
    /// A download.
    case download = "dl"
    /// An upload.
    case upload = "up"
    /// An event in the journal, and the `webhook-id` of its deliveries.
    case event = "evt"
    /// An endpoint for webhooks.
    case endpoint = "whe"
    /// A delivery of an event to one receiver.
    case delivery = "whd"
    /// A wake of a session: whoever has it may complete the wake.
    case wake = "wk"
    /// A session; clients see its own name instead.
    case session = "ses"
    /// A source; clients use its own name.
    case source = "src"
    /// A trigger of a source.
    case trigger = "trg"
    /// A request to the API.
    case request = "req"
}
