// Links to content, for browsers and players, which send no key.
internal import Base
internal import Crypto
internal import Downloads
internal import HTTPWire
internal import Store

extension ContentEndpoints {
    /// The path of links without their token.
    static let linkPath = "/content/"

    /// `POST /v1/downloads/{id}/content/link`.
    ///
    /// Nothing is stored: the token says what it opens, and every replica can check it.
    func makeLink(_ call: Call) async throws(Problem) -> Response {
        let id = try call.downloadIdentifier()
        let wish = try ContentEndpoints.wish(call)
        let record = try await reader.find(id, call)
        guard let facts = ContentFacts(record) else { throw Problem.noContent(record.download) }
        try ContentEndpoints.expectHeld(record.download)
        guard wish.disposition == .attachment || facts.mayBeInline else {
            throw .invalid(
                "#/disposition",
                "must be attachment: only audio, video, images without SVG, and text/plain are "
                    + "shown in place, and this content is \(facts.type)")
        }
        let link = ContentLink(
            id: id, app: call.app, digest: Hex.decode(facts.digest) ?? [],
            expiresAt: Timestamp(seconds: now().seconds + wish.seconds),
            disposition: wish.disposition)
        let href = publicURL + ContentEndpoints.linkPath + link.token(secrets)
        return .json(
            ["href": .string(href), "expires_at": .string(link.expiresAt.rfc3339)],
            status: 201, headers: [("Location", href)])
    }

    /// The members of the body, which may be left out.
    private static func wish(
        _ call: Call
    ) throws(Problem) -> (seconds: Int64, disposition: ContentLink.Disposition) {
        guard !call.request.body.isEmpty else { return (ContentLink.standardLife, .attachment) }
        guard let object = try call.document().objectValue else {
            throw .invalid("#", "must be an object")
        }
        var reader = FieldReader(object)
        let seconds = reader.integer(
            "ttl_seconds", in: ContentLink.lifeAtLeast...ContentLink.lifeAtMost)
        let disposition = reader.word("disposition", of: ContentLink.Disposition.self)
        let errors = reader.finish()
        guard errors.isEmpty else { throw .invalid(errors) }
        return (seconds ?? ContentLink.standardLife, disposition ?? .attachment)
    }

    /// `GET` and `HEAD /content/{token}`.
    ///
    /// A link is over with its time, with its content, and when its download has other content.
    func open(_ call: Call) async throws(Problem) -> Response {
        guard let link = ContentLink(token: call.parameters[0], secrets) else {
            throw Problem(
                .notFound,
                "There is no such link. POST to /v1/downloads/{id}/content/link makes one.")
        }
        guard now() < link.expiresAt else {
            throw Problem(
                .linkExpired, "The link ended at \(link.expiresAt.rfc3339). Ask for a new one.")
        }
        let found = await reader.downloads.lookUp(link.id, app: link.app)
        let record = try reader.record(of: found, link.id, call)
        if let facts = ContentFacts(record), Hex.decode(facts.digest) != link.digest {
            throw Problem(
                .linkExpired,
                "The download has other content than the link was made for. Ask for a new one.")
        }
        let isInline = link.disposition == .inline
        // A player on a page of ours may load from this service alone, and only here the content is
        // in its sandbox.
        var response = try await answer(
            record, ContentReading(app: link.app, isInline: isInline, needsBytes: isInline), call)
        // Whoever has the address can read the content, so the browser sends it to no other site.
        response.headers.append(("Referrer-Policy", "no-referrer"))
        return response
    }
}
