package import Base

/// A set of events by type, downloads and uploads apart: a subscription, or the filter of a reader.
package struct EventSet: Equatable, Sendable {
    /// The bits as the store has them: that of a type is `1 << number`, that of a type about an
    /// upload is 32 places higher.
    package var bits: Int64

    /// A set from its bits.
    package init(bits: Int64) { self.bits = bits }

    /// No event.
    package static let none = EventSet(bits: 0)
    /// Every event, also of types of later versions.
    package static let all = EventSet(bits: -1)

    /// The bit of a type, about an upload or not.
    static func bit(of type: EventType, isUpload: Bool) -> Int64 {
        1 << (Int64(type.rawValue) + (isUpload && type.subject == .download ? 32 : 0))
    }

    /// Whether it has the events of a type about a download or upload.
    package func contains(_ type: EventType, of id: Identifier) -> Bool {
        bits & EventSet.bit(of: type, isUpload: id.isUpload) != 0
    }

    /// Whether it has the events of a type about downloads or uploads.
    package func contains(_ type: EventType) -> Bool {
        bits & (EventSet.bit(of: type, isUpload: false) | EventSet.bit(of: type, isUpload: true))
            != 0
    }

    /// Whether it has the event of a message.
    package func contains(_ message: WebhookMessage) -> Bool {
        bits & EventSet.bit(of: message.type, isUpload: message.name != message.type.name) != 0
    }

    /// The events that are not about uploads.
    package var withoutUploads: EventSet { EventSet(bits: bits & 0x7fff_ffff) }

    /// The events of both.
    package func union(_ other: EventSet) -> EventSet { EventSet(bits: bits | other.bits) }

    /// The events without those of some types.
    func without(_ types: [EventType]) -> EventSet {
        EventSet(
            bits: types.reduce(bits) {
                $0 & ~(EventSet.bit(of: $1, isUpload: false) | EventSet.bit(of: $1, isUpload: true))
            })
    }

    /// The set for a list of names.
    ///
    /// - Parameter names: exact names, or `EventType.patterns`; `*` means types of later versions,
    ///   too.
    /// - Returns: the set, or the first name that is not known.
    package static func named(_ names: [String]) -> Result<EventSet, UnknownEventName> {
        var bits: Int64 = 0
        for name in names {
            if name == "*" {
                bits = -1
            } else if EventType.patterns.contains(name) {
                let family = name.dropLast()
                for (known, bit) in allNames where known.hasPrefix(family) { bits |= bit }
            } else if let bit = allNames.first(where: { $0.name == name })?.bit {
                bits |= bit
            } else {
                return .failure(UnknownEventName(name: name))
            }
        }
        return .success(EventSet(bits: bits))
    }

    /// The names of its events; nil for all.
    package var names: [String]? {
        self == .all ? nil : EventSet.allNames.filter { bits & $0.bit != 0 }.map(\.name)
    }

    /// The subscription of a receiver that named no events.
    package static let usual = EventSet(
        bits: EventType.allCases.filter(\.isDefault).reduce(0) {
            $0 | bit(of: $1, isUpload: false) | ($1.isOfUploads ? bit(of: $1, isUpload: true) : 0)
        })

    /// The events for which a session is woken; whoever reads them needs no wake.
    package static let waking = EventSet(
        bits: [EventType.succeeded, .failed, .attentionRequired].reduce(0) {
            $0 | bit(of: $1, isUpload: false)
        })

    /// Every name with its bit.
    static let allNames: [(name: String, bit: Int64)] =
        EventType.allCases.map { ($0.name, bit(of: $0, isUpload: false)) }
        + EventType.allCases.filter(\.isOfUploads).map {
            ($0.uploadName, bit(of: $0, isUpload: true))
        }
}
