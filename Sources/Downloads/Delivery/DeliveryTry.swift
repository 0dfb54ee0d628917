// One try of a webhook, as it is stored and shown.
package import Base

/// The result of one try.
package struct DeliveryTry: Equatable, Sendable {
    /// The most bytes of the receiver's answer that are kept.
    package static let bodyBytesAtMost = 1024

    /// The time at which the try began.
    package var at: Timestamp
    /// The time that it took, in milliseconds.
    package var milliseconds: Int64?
    /// The receiver's status; nil without an answer.
    package var status: Int?
    /// The error in one sentence; nil for none.
    package var error: String?
    /// The beginning of the answer's body; nil where it is empty or was not kept.
    package var body: String?

    /// Creates a value with all its members.
    package init(
        at: Timestamp, milliseconds: Int64?, status: Int?, error: String? = nil,
        body: String? = nil
    ) {
        self.at = at
        self.milliseconds = milliseconds
        self.status = status
        self.error = error
        self.body = body
    }

    /// Takes the beginning of an answer: as UTF-8, without the character U+0000.
    package static func excerpt(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
        return text.isEmpty ? nil : text.cut(to: bodyBytesAtMost)
    }

    /// The stored form.
    package var json: JSONObject {
        var object: JSONObject = ["at": .string(at.rfc3339)]
        if let milliseconds { object["ms"] = .integer(milliseconds) }
        if let status { object["status"] = .integer(Int64(status)) }
        if let error { object["error"] = .string(error) }
        if let body { object["body"] = .string(body) }
        return object
    }

    /// Reads the stored form; nil for anything else.
    package init?(stored: JSON) {
        guard case .string(let text) = stored["at"], let at = Timestamp(rfc3339: text) else {
            return nil
        }
        func string(_ name: String) -> String? {
            guard case .string(let text) = stored[name] else { return nil }
            return text
        }
        self.init(
            at: at, milliseconds: stored["ms"]?.integerValue,
            status: stored["status"]?.integerValue.flatMap { Int(exactly: $0) },
            error: string("error"), body: string("body"))
    }

    /// The form that clients see.
    package var shown: JSONObject {
        [
            "at": .string(at.rfc3339), "milliseconds": milliseconds.map { .integer($0) } ?? .null,
            "http_status": status.map { .integer(Int64($0)) } ?? .null,
            "error": error.map { .string($0) } ?? .null,
            "response_body": body.map { .string($0) } ?? .null,
        ]
    }
}
