// Builds the downloads of looks by the rules of every other download.
internal import Base
internal import Crypto
internal import Downloads
internal import HTTPWire
internal import Scheduling
internal import Store

/// Builds the download of a look from the template of its source.
struct LookBuilder: Sendable {
    /// The builder of all downloads.
    let builder: DownloadBuilder
    /// The keys that seal templates.
    let secrets: SecretBox
    /// A new identifier.
    let makeIdentifier: @Sendable (Timestamp) -> Identifier

    /// Builds the download of a look at a source.
    ///
    /// - Parameters:
    ///   - template: the template with its secrets.
    ///   - spec: the document of the source.
    ///   - identifier: the source's name.
    ///   - version: the number that the version will have if it is a new one.
    ///   - call: the request that it is built for.
    /// - Returns: the download, ready to be stored.
    /// - Throws: what a create with these members would be refused with; places in the template are
    ///   named as such.
    func build(
        _ template: SourceTemplate, _ spec: SourceSpec, of identifier: String, version: Int64,
        _ call: Call
    ) async throws(Problem) -> NewDownload {
        guard spec.kind == .file else {
            return try await feed(template, spec, of: identifier, call)
        }
        let place = LayeredObject(
            LayeredObject.Layer(template.members(of: version), at: "#/template"),
            over: [LayeredObject.Layer(["url": .string(spec.url)], at: "#")])
        return try await build(place, spec.keep, of: identifier, call)
    }

    /// Builds the download of a feed: with the members of the template that say how and when it is
    /// asked for, and for a week.
    private func feed(
        _ template: SourceTemplate, _ spec: SourceSpec, of identifier: String, _ call: Call
    ) async throws(Problem) -> NewDownload {
        let own: JSONObject = [
            "url": .string(spec.url), "destination": .null,
            "max_bytes": .integer(Int64(Feed.bytesAtMost)),
            "content_retention": .integer(LookBuilder.feedKept),
        ]
        let place = LayeredObject(
            LayeredObject.Layer(own, at: "#"),
            over: [LayeredObject.Layer(template.membersOfFeed, at: "#/template")])
        return try await build(place, nil, of: identifier, call)
    }

    /// The seconds for which the document of a feed is kept.
    private static let feedKept: Int64 = 7 * 86_400

    /// Builds the download of an item of a feed.
    ///
    /// - Parameters:
    ///   - template: the template with its secrets, of which another origin gets none.
    ///   - url: the address of its file.
    ///   - delay: the time from now to its earliest begin.
    ///   - spec: the document of the source.
    ///   - identifier: the source's name.
    ///   - number: the number of the item in its source, from 1.
    ///   - call: the request that it is built for.
    /// - Returns: the download, ready to be stored.
    /// - Throws: as `build`.
    func item(
        _ template: SourceTemplate, _ url: String, after delay: Duration = .zero,
        _ spec: SourceSpec, of identifier: String, number: Int64, _ call: Call
    ) async throws(Problem) -> NewDownload {
        var template = template
        _ = template.rebind(from: spec.url, to: url, given: nil)
        var own: JSONObject = ["url": .string(url)]
        if delay > .zero {
            own.append("earliest_begin_date", .string((call.now + delay).rfc3339))
        }
        let place = LayeredObject(
            LayeredObject.Layer(own, at: "#"),
            over: [LayeredObject.Layer(template.members(of: number), at: "#/template")])
        return try await build(place, spec.keep, of: identifier, call)
    }

    private func build(
        _ place: LayeredObject, _ keep: SourceKeep?, of identifier: String, _ call: Call
    ) async throws(Problem) -> NewDownload {
        let request = try DownloadBuilder.read(place)
        var new = try await builder.build(
            request, makeIdentifier(call.now), call, at: place, isLook: true)
        new.download.spec.source = identifier
        if let keep {
            new.download.spec.contentRetention =
                keep.last == nil ? keep.span?.components.seconds : SourceKeep.unbounded
        }
        return new
    }

    /// The template of a source with its secrets.
    ///
    /// - Throws: `secrets-erased`.
    func template(of source: SourceRecord) throws(Problem) -> SourceTemplate {
        let template = SourceTemplate(
            source.spec, sealed: source.sealed, of: source.identifier, app: source.app,
            with: secrets)
        guard let template else {
            throw Problem(.secretsErased, "No encryption key of this service opens the template.")
        }
        return template
    }
}
