package import Base

/// Content that lies in object stores, for every replica that has the store in its settings.
package struct ObjectAccess: Sendable {
    /// An object, with the header fields that its reader is to get.
    package struct Question: Sendable, Equatable {
        /// The identifier by which the row refers to the store.
        package let store: Identifier
        /// The path of the object beneath the destination.
        package let path: String
        /// The entity tag with which the store confirmed the object; nil for none.
        package let tag: String?
        /// The field `Content-Disposition`.
        package let disposition: String
        /// The field `Content-Type`.
        package let type: String
    }

    /// The result of asking for an address.
    package enum Address: Sendable, Equatable {
        /// A URL at which anybody may read the object for a short time.
        case url(String)
        /// This replica has no store with the identifier.
        case unknownStore
        /// No URL can be made; the text is for the log.
        case failed(String)
    }

    /// The result of opening an object.
    package enum Opening: Sendable {
        /// The content, of which the wished bytes come.
        case content(ContentOpening)
        /// The object has another entity tag than the one that the store confirmed.
        case changed
        /// This replica has no store with the identifier.
        case unknownStore
    }

    /// Makes an address for a client.
    package var address: @Sendable (Question) -> Address
    /// Opens an object for reading; nil for all of its bytes.
    package var open: @concurrent @Sendable (Question, ClosedRange<Int64>?) async -> Opening

    /// Sets both members.
    package init(
        address: @escaping @Sendable (Question) -> Address,
        open: @escaping @concurrent @Sendable (Question, ClosedRange<Int64>?) async -> Opening
    ) {
        self.address = address
        self.open = open
    }

    /// A service without stores.
    package static let none = ObjectAccess(
        address: { _ in .unknownStore }, open: { _, _ in .unknownStore })
}
