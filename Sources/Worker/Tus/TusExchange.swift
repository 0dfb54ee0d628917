// The way of a file to a receiver that speaks tus as a value: which request is next, and the
// meaning of each answer.
internal import Base
internal import Downloads

/// Decides everything about one try to bring a file to a receiver that speaks tus 1.0; performs
/// nothing.
///
/// The shell does one action after the other and reports each by the event that is named there.
/// Whatever was lost, the receiver is asked for its offset, and the file goes on from there. An
/// upload that the receiver does not know any more is created anew, which does no harm: it has no
/// bytes.
struct TusExchange {
    /// The next thing to do.
    enum Action: Equatable {
        /// Create an upload at the URL of the receiver: `created`.
        case create
        /// Name the upload in the row: `kept`.
        case keep(TusUpload)
        /// Ask for the offset of the upload at a URL: `asked`.
        case ask(SourceURL)
        /// Send the file to the upload at a URL, from an offset on: `sent`.
        case send(SourceURL, from: Int64)
        /// The try is over.
        case end(End)
    }

    /// The end of a try.
    enum End: Equatable {
        /// The receiver has the whole file.
        case taken
        /// The receiver has not taken the whole file.
        case failed(DownloadFailure)
    }

    /// The parts of an answer that decide.
    struct Answer: Equatable {
        let status: Int
        /// `Location`; nil for none, and for several that differ.
        var location: FieldValue?
        /// `Upload-Offset` in bytes, not negative; nil for none, and for one that is no number.
        var offset: Int64?
        /// `Upload-Length` in bytes; nil as above.
        var length: Int64?
        /// Whether all bytes were sent before the answer came.
        var isWhole = true
    }

    /// The file and its receiver.
    struct Terms {
        /// The URL at which uploads are created.
        let creation: SourceURL
        /// In bytes.
        let length: Int64
        /// 64 hexadecimal digits.
        let sha256: String
    }

    private enum Phase {
        case creating
        case keeping
        /// Asks for the offset; `after` is the failure of the request before, nil for none.
        case asking(after: DownloadFailure?)
        case sending
        case over
    }

    /// The most uploads that one try creates.
    private static let creationsAtMost = 2
    /// The most requests with bytes in one try.
    private static let sendsAtMost = 8

    let terms: Terms
    /// The upload that the row is to name; nil for none.
    private(set) var upload: TusUpload?
    /// Whether the receiver has more bytes than it ever confirmed before this try.
    private(set) var hasProgress = false
    private var phase = Phase.over
    private var location: SourceURL?
    private var from: Int64 = 0
    private var creations = 0
    private var sends = 0

    /// A try that has not begun.
    ///
    /// - Parameters:
    ///   - terms: the file and its receiver.
    ///   - upload: the upload that the row names; nil for none.
    init(_ terms: Terms, continuing upload: TusUpload?) {
        self.terms = terms
        self.upload = upload
    }

    /// The try begins.
    ///
    /// - Returns: the first action.
    mutating func begin() -> Action {
        // A signature in the query of the receiver's URL may be a new one.
        guard let upload, upload.sha256 == terms.sha256,
            ResumePoint.isSamePlace(upload.creation, terms.creation.description),
            let known = TusExchange.url(upload.location)
        else { return create() }
        location = known
        return ask(after: nil)
    }

    /// The answer to a creation.
    mutating func created(_ answer: Answer) -> Action {
        guard case .creating = phase else { return unexpected() }
        guard answer.status == 201 else {
            guard (200...299).contains(answer.status) else { return end(failure(of: answer)) }
            return refuse(
                answer,
                "the receiver answered \(answer.status) to the creation of an upload, where"
                    + " tus 1.0 has 201")
        }
        guard let reference = answer.location, let target = resolved(reference) else {
            return refuse(
                answer, "the receiver has created an upload, and its Location cannot be used")
        }
        var fresh = TusUpload(
            location: target.description, creation: terms.creation.description,
            sha256: terms.sha256)
        fresh.confirmed = upload?.confirmed ?? 0
        (upload, location) = (fresh, target)
        guard terms.length > 0 else { return end(.taken) }
        phase = .keeping
        return .keep(fresh)
    }

    /// The row names the upload.
    mutating func kept() -> Action {
        guard case .keeping = phase else { return unexpected() }
        return send(from: 0, after: nil)
    }

    /// The answer to the question for the offset.
    mutating func asked(_ answer: Answer) -> Action {
        guard case .asking(let before) = phase else { return unexpected() }
        switch answer.status {
        case 200...299:
            guard let offset = answer.offset, offset <= terms.length,
                answer.length ?? terms.length == terms.length
            else { return create() }
            note(offset)
            if offset == terms.length { return end(.taken) }
            if let before, offset <= from { return end(.failed(before)) }
            return send(from: offset, after: before)
        // Each of them may mean that there is no such upload; credentials are judged by creation.
        case 403, 404, 410: return create()
        default: return end(failure(of: answer))
        }
    }

    /// The answer to bytes.
    mutating func sent(_ answer: Answer) -> Action {
        guard case .sending = phase else { return unexpected() }
        switch answer.status {
        case 200...299 where answer.isWhole:
            guard let offset = answer.offset else { return ask(after: unclear(answer)) }
            guard offset > from, offset <= terms.length else {
                return end(.failed(unclear(answer)))
            }
            note(offset)
            return offset == terms.length ? end(.taken) : send(from: offset, after: nil)
        // Another offset, or bytes that were damaged on their way: the receiver says how it is.
        case 409, 460: return ask(after: TusExchange.passing(answer.status))
        case 404, 410: return create()
        default: return end(failure(of: answer))
        }
    }

    /// A request has no answer.
    mutating func lost(_ failure: DownloadFailure) -> Action {
        if failure.code == .destinationNotAllowed, let location,
            !location.hasSameOrigin(as: terms.creation)
        {
            upload = nil
            return end(
                .failed(
                    TusExchange.refused(
                        "the receiver wants the file at \(location.origin), which this service may "
                            + "not send to (LULL_UPLOAD_DESTINATIONS)", status: nil)))
        }
        switch phase {
        case .sending where failure.isRetryable && !failure.isUnreachable:
            return ask(after: failure)
        case .asking(let before?): return end(.failed(before))
        case .creating, .sending, .asking: return end(.failed(failure))
        case .keeping, .over: return unexpected()
        }
    }

    // MARK: - Steps

    private mutating func create() -> Action {
        creations += 1
        guard creations <= TusExchange.creationsAtMost else {
            return end(
                .failed(
                    DownloadFailure(
                        .network, code: .badServerResponse,
                        detail: "the receiver does not know the upload that it has just created",
                        isRetryable: true)))
        }
        phase = .creating
        return .create
    }

    private mutating func ask(after failure: DownloadFailure?) -> Action {
        guard let location else { return unexpected() }
        phase = .asking(after: failure)
        return .ask(location)
    }

    private mutating func send(from offset: Int64, after failure: DownloadFailure?) -> Action {
        guard let location else { return unexpected() }
        sends += 1
        guard sends <= TusExchange.sendsAtMost else {
            return end(
                .failed(
                    failure
                        ?? DownloadFailure(
                            .network, code: .badServerResponse,
                            detail: "the receiver takes the file in too many pieces",
                            isRetryable: true)))
        }
        (phase, from) = (.sending, offset)
        return .send(location, from: offset)
    }

    private mutating func note(_ offset: Int64) {
        guard let known = upload?.confirmed, offset > known else { return }
        upload?.confirmed = offset
        hasProgress = true
    }

    private mutating func refuse(_ answer: Answer, _ detail: String) -> Action {
        end(.failed(TusExchange.refused(detail, status: answer.status)))
    }

    private mutating func end(_ end: End) -> Action {
        phase = .over
        return .end(end)
    }

    private func unexpected() -> Action { preconditionFailure("events answer actions") }

    // MARK: - Meanings

    /// The target of a Location; nil where it cannot be read, or leads from TLS to plain HTTP.
    private func resolved(_ reference: FieldValue) -> SourceURL? {
        guard !reference.bytes.isEmpty else { return nil }
        do throws(SourceURLError) {
            let target = try terms.creation.resolving(reference)
            return terms.creation.scheme == .https && target.scheme == .http ? nil : target
        } catch {
            return nil
        }
    }

    private static func url(_ text: String) -> SourceURL? {
        do throws(SourceURLError) {
            return try SourceURL(parsing: text)
        } catch {
            return nil
        }
    }

    /// The end that an answer means which is none of the protocol.
    private func failure(of answer: Answer) -> End {
        switch answer.status {
        // Another request has the upload, such as one of ours whose connection is not closed yet.
        case 423: .failed(TusExchange.passing(answer.status))
        case 412:
            .failed(
                TusExchange.refused(
                    "the receiver answered 412: it does not speak tus 1.0", status: answer.status))
        default:
            .failed(
                SendRules.failure(
                    status: answer.status, isWhole: answer.isWhole, isRepeatable: true)
                    ?? unclear(answer))
        }
    }

    private func unclear(_ answer: Answer) -> DownloadFailure {
        let offset = answer.offset.map { "\($0)" } ?? "missing"
        return DownloadFailure(
            .network, code: .badServerResponse,
            detail: "the receiver answered \(answer.status) with Upload-Offset \(offset) to the "
                + "bytes from \(from) to \(terms.length)", isRetryable: true,
            httpStatus: answer.status)
    }

    private static func passing(_ status: Int) -> DownloadFailure {
        DownloadFailure(
            .network, code: .httpStatus, detail: "the receiver answered \(status)",
            isRetryable: true, httpStatus: status)
    }

    private static func refused(_ detail: String, status: Int?) -> DownloadFailure {
        DownloadFailure(
            .attention, code: .destinationRefused,
            detail: detail + "; the file is kept: PATCH destination, then resume",
            isRetryable: true, httpStatus: status)
    }
}
