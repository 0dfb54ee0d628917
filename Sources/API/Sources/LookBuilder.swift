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

    /// Builds a download of a source.
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
        let place = LayeredObject(
            LayeredObject.Layer(template.members(of: version), at: "#/template"),
            over: [LayeredObject.Layer(["url": .string(spec.url)], at: "#")])
        let request = try DownloadBuilder.read(place)
        var new = try await builder.build(
            request, makeIdentifier(call.now), call, at: place, isLook: true)
        new.download.spec.source = identifier
        if let keep = spec.keep {
            new.download.spec.contentRetention =
                keep.last == nil ? keep.span?.components.seconds : SourceKeep.unbounded
        }
        return new
    }
}
