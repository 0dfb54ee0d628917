// The body of a bulk request.
internal import Base
internal import Downloads
internal import Store

/// The body of a bulk request, read and validated.
struct BulkRequest: Sendable {
    /// The action.
    let action: DownloadAction
    /// The downloads to act on.
    let filter: DownloadFilter

    /// Reads the body.
    ///
    /// - Throws: `validation-failed`; also for a filter that means every download.
    init(_ document: JSON, of kind: IdentifierKind) throws(Problem) {
        guard let object = document.objectValue else { throw .invalid("#", "must be an object") }
        var reader = FieldReader(object)
        let action = reader.word("action", of: DownloadAction.self)
        if object["action"]?.isNull ?? true { reader.refuse("action", "is required") }
        var filter = DownloadFilter()
        if let ids = reader.strings("ids", maximumCount: DownloadFilter.identifiersAtMost) {
            if object["filter"] != nil {
                reader.refuse("ids", "cannot be given together with filter")
            }
            if ids.isEmpty {
                reader.refuse(
                    "ids", "must name at least one \(kind == .upload ? "upload" : "download")")
            }
            filter.identifiers = BulkRequest.identifiers(ids, kind, &reader)
        } else if case .object(let members) = reader.value("filter") {
            var part = FieldReader(members, at: "#/filter")
            filter = DownloadFilter(reading: &part)
            let errors = part.finish()
            reader.adopt(errors)
            if errors.isEmpty, filter.isEmpty {
                reader.refuse("filter", "must have at least one member")
            }
        } else {
            reader.refuse("filter", "must be an object, or ids be given in its place")
        }
        let errors = reader.finish()
        guard errors.isEmpty, let action else { throw .invalid(errors) }
        (self.action, self.filter) = (action, filter)
    }

    private static func identifiers(
        _ texts: [String], _ kind: IdentifierKind, _ reader: inout FieldReader
    ) -> [Identifier] {
        var identifiers: [Identifier] = []
        for (place, text) in texts.enumerated() {
            if let id = Identifier(text, kind: kind) {
                identifiers.append(id)
            } else {
                reader.refuse(
                    "ids", at: place,
                    "must be an identifier, which is \(kind.rawValue)_ and 26 letters and digits")
            }
        }
        return identifiers
    }
}

extension DownloadFilter {
    fileprivate init(reading reader: inout FieldReader) {
        self.init()
        session = reader.string("session", maximumLength: 128)
        for (place, name) in (reader.strings("state", maximumCount: 8) ?? []).enumerated() {
            if let state = DownloadState(rawValue: name) {
                states.insert(state)
            } else {
                reader.refuse(
                    "state", at: place, "must be one of \(FilterValues.stateNames)")
            }
        }
        if let text = reader.string("origin", maximumLength: 512) {
            origin = FilterValues.origin(text)
            if origin == nil { reader.refuse("origin", FilterValues.originRule) }
        }
        externalID = reader.string("external_id", maximumLength: 1024)
        metadata = DownloadRequest.metadata(&reader)
        createdAfter = reader.timestamp("created_after")
        createdBefore = reader.timestamp("created_before")
        completedAfter = reader.timestamp("completed_after")
        if let name = reader.string("error_code", maximumLength: 64) {
            errorCode = FailureCode(rawValue: name)
            if errorCode == nil { reader.refuse("error_code", FilterValues.errorCodeRule) }
        }
        if let text = reader.string("q", maximumLength: 256) {
            texts = FilterValues.texts(text) ?? []
            if texts.isEmpty { reader.refuse("q", FilterValues.textRule) }
        }
    }
}
