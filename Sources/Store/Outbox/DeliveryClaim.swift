/// What a claim of deliveries brought.
package struct DeliveryClaim: Sendable {
    /// What is to be tried now.
    package var due: [DueDelivery] = []
    /// What has to be given up.
    package var unreadable: [UnreadableDelivery] = []
    /// How many were due and were abandoned: their URL rests, or their endpoint hears no more.
    package var ended = 0
    /// Whether nothing was due.
    package var isEmpty: Bool { due.isEmpty && unreadable.isEmpty && ended == 0 }
}
