/// The items that a look at a feed queues, and the keys that it adds.
package struct ItemPlan: Equatable, Sendable {
    /// The items to be fetched, the oldest first.
    package var chosen: [ChosenItem] = []
    /// The items that are known from now on without a download.
    package var passedOver: [ChosenItem] = []
    /// How many items have the key of a newer one, and are not fetched.
    package var repeated = 0

    /// A plan without items.
    package init() {}
}
