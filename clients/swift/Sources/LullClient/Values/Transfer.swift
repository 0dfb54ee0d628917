// swift-format-ignore-file
// Written from openapi.yaml by scripts/client-values; do not edit.

/// A download or an upload, as a session has them.
public enum Transfer: Codable, Hashable, Sendable {
    /// A value of the type `Download`.
    case download(Download)
    /// A value of the type `Upload`.
    case upload(Upload)

    /// Reads the first of the shapes whose required members are there.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        if members.hasAll(["attempt", "authorization", "begin_deadline", "blockers", "body_bytes", "bytes_per_second", "cancel_reason", "complete_by", "completed_at", "completes_at", "content", "content_retention", "count_of_bytes_client_expects_to_receive", "count_of_bytes_client_expects_to_send", "count_of_bytes_expected_to_receive", "count_of_bytes_received", "created_at", "current_url", "deadline_at_risk_since", "destination", "discretionary_forced_by", "earliest_begin_date", "error", "expected_digest", "external_id", "filename", "headers", "id", "is_discretionary", "max_bytes", "max_bytes_per_second", "metadata", "method", "mirror_url", "next_attempt_at", "on_source_change", "priority", "proxy", "require_expected_length", "require_verified_length", "response", "resume", "segments", "sequence", "session", "started_at", "state", "task_description", "timeout_interval_for_request", "timeout_interval_for_resource", "url", "urls", "webhook_events", "webhook_url"]) {
            self = .download(try Download(from: decoder))
            return
        }
        self = .upload(try Upload(from: decoder))
    }

    /// Writes the value alone.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .download(let value): try value.encode(to: encoder)
        case .upload(let value): try value.encode(to: encoder)
        }
    }
}
