internal import Foundation
internal import LullClient

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What the service says about a transfer, a download or an upload.
struct Report: Sendable {
    let id: String
    let name: String
    let metadata: [String: String]
    let url: String
    let method: String
    let labels: TaskLabels
    var state: DownloadState
    /// Rises with each event of the transfer.
    let sequence: Int
    let received: Int
    let sent: Int
    let expected: Int?
    let length: Int?
    let failure: Failure?
    var reasons: [String] = []
    /// Whether it waits for its origin or the network to be reached.
    var isUnreached = false
    /// The URL that answered last.
    let currentURL: String?
    let answer: Head?

    /// What the origin or the receiver answered.
    struct Head: Sendable {
        let status: Int
        let url: String
        let fields: [String: String]
        var body: Data?
    }

    init(_ download: DownloadSnapshot) {
        id = download.id
        name = download.externalID ?? ""
        metadata = download.metadata
        url = download.url
        method = download.method.rawValue
        labels = TaskLabels(
            priority: Float(download.priority), description: download.taskDescription,
            earliestBegin: download.earliestBeginDate,
            expectsToSend: Int64(download.countOfBytesClientExpectsToSend ?? -1),
            expectsToReceive: Int64(download.countOfBytesClientExpectsToReceive ?? -1))
        currentURL = download.currentURL
        state = download.state
        sequence = download.sequence
        received = download.countOfBytesReceived
        sent = 0
        expected = download.content?.length ?? download.countOfBytesExpectedToReceive
        length = nil
        failure = download.error
        if let response = download.response {
            var fields = response.headers
            if let length = download.content?.length { fields["content-length"] = String(length) }
            answer = Head(status: response.statusCode, url: response.url, fields: fields)
        } else if let status = download.error?.httpStatus {
            answer = Head(status: status, url: download.currentURL ?? download.url, fields: [:])
        } else {
            answer = nil
        }
    }

    init(_ download: Download) {
        self.init(download.snapshot)
        note(download.blockers)
    }

    init(_ upload: UploadSnapshot) {
        id = upload.id
        name = upload.externalID ?? ""
        metadata = upload.metadata
        switch upload.destination {
        case .destination(let place): (url, method) = ("store:\(place.name)", "PUT")
        case .shownReceiver(let receiver):
            (url, method) = (receiver.url, receiver.method?.rawValue ?? "POST")
        }
        labels = TaskLabels(
            priority: Float(upload.priority), description: upload.taskDescription,
            earliestBegin: upload.earliestBeginDate,
            expectsToSend: Int64(upload.countOfBytesClientExpectsToSend ?? -1))
        currentURL = nil
        state = upload.state
        sequence = upload.sequence
        received = 0
        sent = upload.countOfBytesSent
        expected = nil
        length = upload.length
        failure = upload.error
        answer = upload.sent.map {
            Head(
                status: $0.status, url: "", fields: $0.headers,
                body: $0.body.map { Data($0.text.utf8) })
        }
    }

    init(_ upload: Upload) {
        self.init(upload.snapshot)
        note(upload.blockers)
    }

    private mutating func note(_ blockers: [Blocker]) {
        reasons = blockers.map(\.detail)
        isUnreached = blockers.contains {
            $0.code == .originUnreachable || $0.code == .connectivity
        }
    }

    /// Whether it has ended.
    var isOver: Bool { [.succeeded, .failed, .canceled].contains(state) }
    /// Whether it is a task of this module.
    var isTask: Bool { metadata[MetadataKey.mark] != nil && metadata[MetadataKey.paused] == nil }
    var identifier: Int {
        metadata[MetadataKey.identifier].flatMap { Int($0) } ?? TaskDriver.newIdentifier()
    }
    var kind: TaskKind {
        metadata[MetadataKey.kind].flatMap { TaskKind(rawValue: $0) } ?? .download
    }

    var request: URLRequest? {
        guard let url = URL(string: url) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = method
        return request
    }

    func response(to request: URLRequest?) -> HTTPURLResponse? {
        guard let answer, let url = URL(string: answer.url) ?? request?.url else { return nil }
        return HTTPURLResponse(
            url: url, statusCode: answer.status, httpVersion: "HTTP/1.1",
            headerFields: answer.fields)
    }

    /// Why it ended; nil after success, and before the end.
    var urlError: URLError? {
        switch state {
        case .canceled: return URLError(.cancelled)
        case .failed, .attentionRequired:
            guard let failure else { return URLError(.unknown) }
            return URLError(
                Report.code(failure), userInfo: [NSLocalizedDescriptionKey: failure.detail])
        default: return nil
        }
    }

    private static let codes: [String: URLError.Code] = [
        "cannot_find_host": .cannotFindHost, "dns_lookup_failed": .dnsLookupFailed,
        "cannot_connect_to_host": .cannotConnectToHost,
        "secure_connection_failed": .secureConnectionFailed, "timed_out": .timedOut,
        "stalled": .timedOut, "network_connection_lost": .networkConnectionLost,
        "proxy_connection_failed": .cannotConnectToHost,
        "bad_server_response": .badServerResponse, "http_status": .badServerResponse,
        "resource_unavailable": .resourceUnavailable,
        "user_authentication_required": .userAuthenticationRequired,
        "url_expired": .userAuthenticationRequired,
        "http_too_many_redirects": .httpTooManyRedirects,
        "redirect_to_non_existent_location": .redirectToNonExistentLocation,
        "app_transport_security_requires_secure_connection":
            .appTransportSecurityRequiresSecureConnection,
        "data_length_exceeds_maximum": .dataLengthExceedsMaximum,
        "unsupported_url": .unsupportedURL,
        "server_certificate_untrusted": .serverCertificateUntrusted,
        "client_certificate_required": .clientCertificateRequired,
        "client_certificate_rejected": .clientCertificateRejected,
        "cannot_write_to_file": .cannotWriteToFile, "insufficient_storage": .cannotWriteToFile,
    ]

    private static func code(_ failure: Failure) -> URLError.Code {
        codes[failure.code] ?? .badServerResponse
    }
}
