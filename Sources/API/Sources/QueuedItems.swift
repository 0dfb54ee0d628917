/// The result of queueing the items of a feed that a look wanted.
package struct QueuedItems: Sendable {
    /// The items whose downloads are stored, or were before.
    package var stored = 0
    /// The items that no download can be made for, with the reasons; later looks judge them anew.
    package var refused: [(key: String, reason: String)] = []
    /// The items for which the app has no room; they are queued by the next look.
    package var left = 0
    /// The reason why no item can be queued at all; nil for none.
    package var fault: String?

    init() {}
}
