// The names of events, deliveries and places in the journal for clients.
package import Base
internal import Crypto
internal import Downloads
internal import Postgres

/// Converts numbers of the journal and the outbox into names for clients, and back.
///
/// The numbers count the events of all apps. Their names are permuted with a key of the deployment,
/// so that the distance between two names tells nothing. The key is a setting in the database: all
/// replicas have one key, a restored database keeps it, and it does not depend on the encryption
/// keys, which may be rotated.
package struct PublicNames: Sendable {
    /// The name of the setting that has the key.
    private static let setting = "public_names_key"

    private let events: BlockCipher
    private let deliveries: BlockCipher
    private let places: BlockCipher

    /// Creates names with a key of 32 bytes.
    package init(key: [UInt8]) {
        func cipher(_ purpose: String) -> BlockCipher {
            BlockCipher(key: HMAC.sha256(key: key, message: Array(purpose.utf8)))
        }
        events = cipher("lull events")
        deliveries = cipher("lull deliveries")
        places = cipher("lull places in the journal")
    }

    /// Reads the key of a deployment, which the first replica creates.
    ///
    /// - Throws: `unavailable` or `refused`.
    package static func read(_ settings: Settings) async throws(StoreError) -> PublicNames {
        let proposal = Hex.encode(SecureRandom.bytes(BlockCipher.keyBytes))
        let text = try await settings.value(setting, orElse: proposal)
        guard let key = Hex.decode(text), key.count == BlockCipher.keyBytes else {
            throw StoreError(.refused, "the setting \(setting) is not a key of 32 bytes")
        }
        return PublicNames(key: key)
    }

    /// For tests, and for processes that show no such names.
    package static let withoutKey = PublicNames(
        key: [UInt8](repeating: 0, count: BlockCipher.keyBytes))

    /// The public name of an event with a `lull_event_id`.
    package func event(_ stored: Identifier) -> Identifier { events.seal(stored) }

    /// The database's identifier for a public name, whether or not there is such an event.
    func storedEvent(_ name: Identifier) -> Identifier { events.open(name) }

    /// The name of a delivery.
    package func delivery(_ number: Int64) -> Identifier {
        deliveries.seal(Identifier(high: UInt64(bitPattern: number), low: 1 << 63))
    }

    /// The number of the delivery with a name; nil for a name of none.
    package func deliveryNumber(_ name: Identifier) -> Int64? {
        let stored = deliveries.open(name)
        return stored.low == 1 << 63 && stored.high >> 63 == 0 ? Int64(stored.high) : nil
    }

    /// The cursor of a place in the journal: 26 letters and digits.
    package func cursor(_ place: JournalPosition) -> String {
        places.seal(
            Identifier(high: place.transaction, low: UInt64(bitPattern: place.number))
        ).digits
    }

    /// The place of a cursor; nil for a text that is no cursor of this deployment.
    package func place(_ cursor: String) -> JournalPosition? {
        guard let name = Identifier(digits: cursor) else { return nil }
        let stored = places.open(name)
        // Both numbers stay below 2^48, so nearly every invented text is refused.
        guard stored.high >> 48 == 0, stored.low >> 48 == 0 else { return nil }
        return JournalPosition(transaction: stored.high, number: Int64(stored.low))
    }
}

extension PublicNames {
    /// The public name of an event's subject: a delivery is stored as its number.
    func subject(_ stored: Identifier, of type: EventType) -> Identifier {
        guard type.subject == .delivery else { return stored }
        return delivery(Int64(truncatingIfNeeded: stored.high))
    }

    /// The data of an event, with public names in place of those that the database wrote for
    /// deliveries, events and places.
    ///
    /// - Throws: `decoding`.
    func data(_ stored: String, of type: EventType) throws(PostgresError) -> String {
        guard type.subject == .delivery || type.subject == .session else { return stored }
        var object: JSONObject
        do throws(JSONError) {
            guard let found = try JSON.parse(Array(stored.utf8)).objectValue else { return stored }
            object = found
        } catch {
            throw PostgresError(.decoding, "the data of an event is not JSON")
        }
        if type.subject == .session {
            let place = object["cursor"]?.stringValue.flatMap { JournalPosition(stored: $0) }
            if let place { object["cursor"] = .string(cursor(place)) }
        } else {
            let number = object["id"]?.stringValue.flatMap { Identifier($0, kind: .delivery) }
            if let number {
                object["id"] = .string(subject(number, of: type).text(.delivery))
            }
            let about = object["event"]?.stringValue.flatMap { Identifier($0, kind: .event) }
            if let about { object["event"] = .string(event(about).text(.event)) }
        }
        return JSON.object(object).text
    }
}

extension BlockCipher {
    fileprivate func seal(_ stored: Identifier) -> Identifier {
        let (high, low) = seal(stored.high, stored.low)
        return Identifier(high: high, low: low)
    }

    fileprivate func open(_ name: Identifier) -> Identifier {
        let (high, low) = open(name.high, name.low)
        return Identifier(high: high, low: low)
    }
}
