// An endpoint as the API shows it.
internal import Base
internal import Downloads
internal import Store

/// An endpoint in the form for clients.
struct ShownEndpoint: Sendable {
    private let record: EndpointRecord?

    /// Shows a row; nil is a `default` that was never changed.
    init(_ record: EndpointRecord?) { self.record = record }

    /// Its identifier in paths.
    var name: String { record?.id?.text(.endpoint) ?? "default" }

    /// The tag of its configuration.
    var tag: EntityTag { .strong("\(record?.version ?? 0)") }

    /// The values with which conditions are compared.
    var representation: Representation { Representation(tag: tag) }

    /// The resource, without its secret.
    var json: JSONObject {
        let spec = record?.spec ?? EndpointSpec(url: nil)
        var object: JSONObject = ["id": .string(name)]
        for (name, value) in spec.json().members { object.append(name, value) }
        object.append("disabled_at", instant(record?.disabledAt))
        object.append("disabled_reason", record?.disabledReason.map { .string($0) } ?? .null)
        object.append("created_at", instant(record?.createdAt))
        object.append("updated_at", instant(record?.updatedAt))
        return object
    }

    private func instant(_ instant: Timestamp?) -> JSON {
        instant.map { .string($0.rfc3339) } ?? .null
    }
}
