// The fields of a download or an upload that the client reads; pure.
package import Base

/// The state of a download or an upload as the client shows it.
package struct DownloadView: Sendable {
    /// Its identifier.
    package let id: String
    /// The state's name in the API.
    package let state: String
    /// A name for people: that of the file, or the last part of the URL.
    package let name: String
    /// The URL of the download; of an upload that of its receiver, or the name of its store.
    package let url: String
    /// The bytes that the service has received.
    package let received: Int64
    /// The bytes that were sent to the receiver of the file, while they are sent; else nil.
    package let sent: Int64?
    /// The expected length in bytes; nil if unknown.
    package let expected: Int64?
    /// The rate in bytes a second; nil unless the download runs.
    package let rate: Int64?
    /// The first of the blockers as a sentence; nil for none.
    package let blocker: String?
    /// The end of that blocker; nil if unknown.
    package let until: Timestamp?
    /// The reason why it failed, or the action that it needs from its client.
    package let error: String?
    /// The length in bytes of the content that the service keeps.
    package let length: Int64?
    /// The SHA-256 of that content, 64 digits.
    package let sha256: String?
    /// A number that increases with every change.
    package let sequence: Int64

    /// Reads a document of the API; nil for one that is neither.
    package init?(_ document: JSON) {
        let place = document["destination"]
        // A row of the short form has an origin in place of the URL.
        let origin = document["origin"].map { $0.stringValue ?? "" }
        guard let id = document["id"]?.stringValue, let state = document["state"]?.stringValue,
            let url = document["url"]?.stringValue ?? place?["url"]?.stringValue
                ?? place?["name"]?.stringValue ?? origin
        else { return nil }
        let isUpload = ClientContext.isUpload(id)
        self.id = id
        self.state = state
        self.url = url
        name = DownloadView.name(document, url: url)
        received = document["count_of_bytes_received"]?.integerValue ?? 0
        sent =
            (isUpload || document["direction"] == "send") && state == "running"
            ? document["count_of_bytes_sent"]?.integerValue : nil
        expected =
            (isUpload ? document["length"]?.integerValue : nil)
            ?? document["count_of_bytes_expected_to_receive"]?.integerValue
            ?? document["content"]?["length"]?.integerValue
            ?? document["count_of_bytes_client_expects_to_receive"]?.integerValue
        rate = document["bytes_per_second"]?.integerValue
        let first = document["blockers"]?[0] ?? document["blocker"]
        blocker =
            first?["detail"]?.stringValue.map { Printable.text(PlainWords.of($0)) }
            ?? first.flatMap { DownloadView.reason($0) }
        until = first?["until"]?.stringValue.flatMap { Timestamp(rfc3339: $0) }
        error =
            document["error"]?["detail"]?.stringValue.map { detail in
                let code = document["error"]?["code"]?.stringValue ?? "unknown"
                return Printable.text("\(PlainWords.of(detail)) (\(code))")
            } ?? document["error_code"]?.stringValue.map { Printable.text($0) }
        length = document["content"]?["length"]?.integerValue
        sha256 = document["content"]?["sha256"]?.stringValue
        sequence = document["sequence"]?.integerValue ?? 0
    }

    /// Whether the state is final.
    package var hasEnded: Bool { ["succeeded", "failed", "canceled"].contains(state) }

    /// Whether the download has ended, or continues only after an action of its client.
    package var isOver: Bool { hasEnded || state == "attention_required" }

    /// The state and its reason in one sentence.
    package func sentence(_ clock: InstantText) -> String {
        switch state {
        case "waiting":
            guard let blocker else { return "waiting" }
            let sentence = clock.localized(blocker, distanceOf: until)
            let named = until.map { blocker.contains($0.rfc3339) } ?? true
            let end = named ? "" : until.map { ", until \(clock.showWithDistance($0))" } ?? ""
            return "waiting: \(sentence)\(end)"
        case "receiving":
            let total = expected.map { " of \(NumberText.size($0))" } ?? ""
            return "receiving, \(NumberText.size(received))\(total)"
        case "failed", "attention_required": return state + (error.map { ": \($0)" } ?? "")
        case "running": return sent.map { "sending \(share(of: $0))" } ?? state
        case "succeeded": return state + (length.map { ", \(NumberText.size($0))" } ?? "")
        default: return state
        }
    }

    /// The part of the file that was sent, in whole percent; the file is here as a whole.
    private func share(of sent: Int64) -> String {
        let total = max(received, 1)
        return "\(Int64(Double(min(sent, total)) / Double(total) * 100)) %"
    }

    /// The progress bar of the download: first of received bytes, then of sent bytes.
    package var bar: ProgressBar {
        guard let sent else {
            return ProgressBar(name: name, received: received, expected: expected, rate: rate)
        }
        return ProgressBar(name: "sending \(name)", received: sent, expected: received, rate: rate)
    }

    /// The file name for a URL: the last component of its path, decoded, without characters that a
    /// file name cannot have.
    package static func fileName(ofURL url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/")
        guard parts.count > 2, let last = parts.last, !path.hasSuffix("/") else {
            return "download"
        }
        let decoded = FilePart.decoded(last)
        let name = Printable.text(decoded).replacing("/", with: "_")
        return name == "." || name == ".." || name.isEmpty ? "download" : name
    }

    /// The reason of a row or a group of the overview in words, such as `window "night"`.
    ///
    /// - Parameters:
    ///   - blocker: an object with `code`, `rule` and `until`.
    ///   - clock: shows `until`; nil leaves it out.
    /// - Returns: nil for an object without a code.
    package static func reason(_ blocker: JSON, _ clock: InstantText? = nil) -> String? {
        guard let code = blocker["code"]?.stringValue else { return nil }
        let rule = blocker["rule"]?.stringValue.map { ", by the rule \"\($0)\"" } ?? ""
        let until = blocker["until"]?.stringValue.flatMap { Timestamp(rfc3339: $0) }
        let end = clock.flatMap { clock in until.map { ", until \(clock.showWithDistance($0))" } }
        return Printable.text(code.replacing("_", with: " ") + rule + (end ?? ""))
    }

    private static func name(_ document: JSON, url: String) -> String {
        let named =
            document["filename"]?.stringValue
            ?? document["response"]?["suggested_filename"]?.stringValue
            ?? document["name"]?.stringValue
        return Printable.text(named ?? fileName(ofURL: url))
    }
}
