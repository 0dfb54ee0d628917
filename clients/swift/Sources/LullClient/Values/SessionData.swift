// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// `wake_token` and `cursor` of `session.wake` and `session.events_finished`;
///
/// `cursor` is the place in the journal up to which the wake speaks. Receivers get the token; in
/// the journal only keys with the scope `webhooks` see it. `delivery` counts the deliveries of one
/// wake.
public struct SessionData: Codable, Hashable, Sendable {
    /// Your name for a session, unique among yours.
    public var identifier: String
    /// Names a wake; whoever has it may complete the wake.
    public var wakeToken: String?
    /// `reasons` of the API.
    public var reasons: [String]?
    /// A cursor, the name of a place in the journal; take it as it is, as its digits tell no order.
    ///
    /// Pages have it as `cursor` and `next_cursor`, streams send it as `id`; `after` and
    /// `Last-Event-ID` take it.
    public var cursor: String?
    /// `delivery` of the API.
    public var delivery: Int?
    /// `app` of the API.
    public var app: String

    /// Makes one of its members; those that are left out are nil.
    public init(
        identifier: String,
        app: String,
        wakeToken: String? = nil,
        reasons: [String]? = nil,
        cursor: String? = nil,
        delivery: Int? = nil
    ) {
        self.identifier = identifier
        self.wakeToken = wakeToken
        self.reasons = reasons
        self.cursor = cursor
        self.delivery = delivery
        self.app = app
    }

    private enum CodingKeys: String, CodingKey {
        case identifier
        case wakeToken = "wake_token"
        case reasons
        case cursor
        case delivery
        case app
    }
}
