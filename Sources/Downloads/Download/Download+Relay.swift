// The part of a download in sending its file to a receiver or a store.
internal import Base

extension Download {
    /// The direction in which its bytes go: `receive` or `send`; nil where the file is not
    /// sent on, and after the end.
    var direction: String? {
        guard shared.value.isSentOn, !state.isTerminal else { return nil }
        return isSending ? "send" : "receive"
    }

    /// Writes the members about sending.
    func writeSending(to writer: inout JSONWriter) {
        writer.member("direction", direction)
        writer.member("count_of_bytes_sent", bytesSent)
        writer.member("sent", result.sent)
    }
}

extension Relay {
    /// Whether a document changes secrets of a download's receiver or of its hook.
    static func changesSecrets(_ document: JSONObject, of old: Download) -> Bool {
        guard let destination = document["destination"] else { return false }
        return old.spec.request.hasRelaySecrets || givesSecrets(destination)
    }

    /// The secrets for a download's receiver after a change document was applied; see `changed`.
    static func changedSecrets(
        by document: JSONObject, of old: Download, secrets: BoundSecrets?, to new: Relay?
    ) -> Result<ReceiverRequest.Changed, FieldErrors> {
        let before = old.spec.relay
        let none = (before ?? new).map { BoundSecrets(RequestSecrets(), for: $0.url) }
        return changed(
            by: document["destination"], shape: old.spec.request.relay,
            secrets: secrets.flatMap { $0.relay ?? none }, from: before, to: new)
    }
}

extension SessionConfiguration {
    /// The receiver of a download that names no place for its file; nil where it declines one.
    func relay(for request: DownloadRequest) -> Relay? {
        request.destination == nil && !request.declinesRelay ? relay : nil
    }
}
