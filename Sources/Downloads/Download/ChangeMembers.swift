// The members of a create that say when nothing is to be fetched.
package import Base

/// `if_changed_from`, or `if_none_match` and `if_modified_since`, read and validated.
package struct ChangeMembers: Equatable, Sendable {
    /// The names, as clients write them.
    package static let names = ["if_changed_from", "if_none_match", "if_modified_since"]
    /// The most bytes of `if_none_match`.
    package static let tagsAtMost = 1024

    /// The download whose content is known.
    package var changedFrom: Identifier?
    /// Entity tags, as `If-None-Match` has them.
    package var noneMatch: String?
    /// A date, as `If-Modified-Since` has it.
    package var modifiedSince: String?

    /// Reads the members.
    init(reading reader: inout FieldReader) {
        if let text = reader.string("if_changed_from", maximumLength: 64) {
            changedFrom = Identifier(text, kind: .download)
            if changedFrom == nil {
                reader.refuse("if_changed_from", "must be the identifier of a download, dl_…")
            }
        }
        if let text = reader.string("if_none_match", maximumLength: ChangeMembers.tagsAtMost) {
            noneMatch = text
            if !ChangeCondition.isListOfTags(text) {
                reader.refuse(
                    "if_none_match",
                    "must be an entity tag with its quotes, such as \"5d8c72a5\" or "
                        + "W/\"5d8c72a5\", or several with commas between them")
            }
        }
        if let text = reader.string("if_modified_since", maximumLength: 64) {
            modifiedSince = text
            if !ChangeCondition.isDate(text) {
                reader.refuse(
                    "if_modified_since",
                    "must be a date as Last-Modified has it, such as "
                        + "Sun, 06 Nov 1994 08:49:37 GMT")
            }
        }
        if changedFrom != nil {
            for (name, isGiven) in [
                ("if_none_match", noneMatch != nil), ("if_modified_since", modifiedSince != nil),
            ] where isGiven {
                reader.refuse(
                    name, "cannot be given together with if_changed_from, which has its own value")
            }
        }
    }

    /// Whether none is given.
    package var isEmpty: Bool { changedFrom == nil && !isOwn }

    /// Whether its client gave validators of its own.
    package var isOwn: Bool { noneMatch != nil || modifiedSince != nil }

    /// The condition of the client's own validators; nil without any.
    package var ownCondition: ChangeCondition? {
        isOwn ? ChangeCondition(etag: noneMatch, lastModified: modifiedSince) : nil
    }

    /// Checks that need the whole download.
    ///
    /// - Parameters:
    ///   - request: the download as asked.
    ///   - reader: takes the findings.
    func judge(_ request: DownloadRequest, _ reader: inout FieldReader) {
        guard !isEmpty else { return }
        let name =
            changedFrom != nil
            ? "if_changed_from" : noneMatch != nil ? "if_none_match" : "if_modified_since"
        if request.members.method != .get {
            let method = request.members.method.rawValue
            reader.refuse(name, "needs the method GET; leave it out for \(method)")
        }
        if request.resumeData != nil {
            reader.refuse(
                name,
                "cannot be given together with resume_data, whose bytes are of the version that "
                    + "is wanted")
        }
        if request.duplicates == .join {
            reader.refuse(
                name,
                "cannot be given together with on_duplicate_url \"join\", because an unchanged "
                    + "file brings the others no content")
        }
        if isOwn, request.expectedDigest != nil {
            reader.refuse(
                "expected_digest",
                "cannot be given together with \(name): the bytes of an unchanged file are not "
                    + "fetched, so nothing proves its digest")
        }
        let twice = request.members.secrets.headers.first {
            $0.isNamed("If-None-Match") || $0.isNamed("If-Modified-Since")
        }
        if let twice {
            reader.refuse(name, "and a header \(twice.name) cannot be given together")
        }
    }
}
