/// The result of a claim of deliveries.
package struct DeliveryClaim: Sendable {
    /// The deliveries to try now.
    package var due: [DueDelivery] = []
    /// The deliveries that have to be given up.
    package var unreadable: [UnreadableDelivery] = []
    /// The number of due deliveries that were abandoned: their URL is paused, or their endpoint is
    /// gone or disabled.
    package var ended = 0
    /// Whether nothing was due.
    package var isEmpty: Bool { due.isEmpty && unreadable.isEmpty && ended == 0 }
}
