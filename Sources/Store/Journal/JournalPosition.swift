// A reader's place in the journal.

/// A place between two events, in the order of the journal: by transaction, then by number.
///
/// Clients see it as a cursor, which `PublicNames` makes: `cursor` of an event in a page, `id` of a
/// server-sent event, and both as `after`.
package struct JournalPosition: Sendable, Hashable, Comparable {
    /// The transaction that wrote the event before the place.
    package let transaction: UInt64
    /// The event's number; 0 for the place before all events of the transaction.
    package let number: Int64

    /// Creates the place behind an event.
    package init(transaction: UInt64, number: Int64) {
        self.transaction = transaction
        self.number = number
    }

    /// Reads the form that `stored` writes; nil for anything else.
    init?(stored text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let transaction = UInt64(parts[0], radix: 36),
            let number = Int64(parts[1], radix: 36), number >= 0
        else { return nil }
        self.init(transaction: transaction, number: number)
        guard stored == text else { return nil }
    }

    /// The stored text: letters, digits and a hyphen.
    ///
    /// `lull_place_text` writes this form as well.
    var stored: String {
        String(transaction, radix: 36) + "-" + String(number, radix: 36)
    }

    /// The order of the journal.
    package static func < (left: JournalPosition, right: JournalPosition) -> Bool {
        (left.transaction, left.number) < (right.transaction, right.number)
    }
}
