// The fields of a try's outcome, each named once.
internal import Base
internal import Downloads
internal import Postgres

/// Outcomes of tries as a list of the type `tried_delivery`.
enum TriedDelivery {
    /// The fields in the order of the type.
    static let fields: Parameters<[DeliveryRecord]> = [
        "delivery_no": { $0.map(\.number) },
        "fence": { $0.map(\.fence) },
        "next_at": { $0.map { $0.nextAt } },
        "is_delivered": { $0.map(\.isDelivered) },
        "status": { $0.map { $0.status.map { Int32($0) } } },
        "error": { $0.map(\.error) },
        "is_silent": { $0.map(\.isSilent) },
        "try": { $0.map { $0.kept.map { JSONText(JSON.object($0.json).text) } } },
        "ms": { $0.map { $0.milliseconds.map { Int32(clamping: $0) } } },
    ]
}
