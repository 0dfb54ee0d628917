/// A download that was claimed.
package struct ClaimedRun: Equatable, Sendable {
    /// Its name.
    package var id: Identifier
    /// The fence of the attempt.
    package var fence: Int64
    /// An order that was already waiting for it.
    package var order: RunOrder?
    /// Bytes that it still expects; 0 if unknown.
    package var need: Int64

    /// Names all of it.
    package init(id: Identifier, fence: Int64, order: RunOrder? = nil, need: Int64 = 0) {
        self.id = id
        self.fence = fence
        self.order = order
        self.need = need
    }
}
