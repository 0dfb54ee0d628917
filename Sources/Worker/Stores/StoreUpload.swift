// The way of a file into an object store as a value: which request is next, and what each answer
// means.
internal import Downloads
internal import ObjectStores

/// Decides everything about one try to bring a file into a store; performs nothing.
///
/// The shell does one action after the other and reports each by the event that is named there. An
/// object counts as this download's only if its metadata names the download and the digest; that an
/// object exists proves nothing.
struct StoreUpload {
    /// The next thing to do.
    enum Action: Equatable {
        /// Read the facts of an object: `headed`.
        case head(String)
        /// Write the object with one request: `wrote`.
        case put(String, WriteCondition)
        /// Begin an upload, and name it in the row with the condition of its end: `began`.
        case begin(String, WriteCondition)
        /// Read the parts that are there: `listed`.
        case list(UploadName)
        /// Send the parts that are not there: `sentParts`.
        case send(UploadName)
        /// Make the object out of its parts: `wrote`.
        case complete(UploadName, WriteCondition)
        /// Abort an upload whose name is taken: `aborted`.
        case abort(UploadName)
        /// The try is over.
        case end(End)
    }

    /// The end of a try.
    enum End: Equatable {
        /// The object is there.
        case stored(path: String, tag: String?)
        /// Another object has the name.
        case taken(path: String)
        /// The store did not take the file.
        case failed(StoreFailure)
        /// The store got other bytes than the digests say.
        case damaged(StoreFailure)
    }

    /// The file and the wish of its client.
    struct Terms {
        /// The path under which the file is to lie.
        var path: String
        /// Whether the client chose the path, so that an object of another download may be
        /// replaced.
        var isNamedByClient: Bool
        var onConflict: FileConflict
        /// The text of the download's identifier, as the metadata has it.
        var download: String
        var length: Int64
        /// 64 hexadecimal digits.
        var sha256: String
        /// Whether the store ignores conditions, so that it is given none.
        var ignoresConditions = false
        /// The key of a path; nil for a path that is too long.
        var key: @Sendable (String) -> String?

        /// The rule for the object of another download.
        var rule: FileConflict {
            onConflict == .replace && !isNamedByClient ? .rename : onConflict
        }
    }

    private enum Phase {
        /// Reads the object before anything is written.
        case looking
        case putting
        case beginning
        case listing
        case sending
        case completing
        /// Reads the object after a write whose effect is unknown, or an upload that is gone.
        case resolving(StoreFailure)
        case aborting
        case over
    }

    /// The most writes under one name before the try is given up.
    private static let writesAtMost = 6
    /// The most names that `rename` tries.
    private static let namesAtMost = 100

    let terms: Terms
    private(set) var path: String
    private var phase = Phase.over
    private var condition = WriteCondition.absent
    private var upload: UploadName?
    private var number = 0
    private var writes = 0

    init(_ terms: Terms) {
        self.terms = terms
        path = terms.path
        if terms.ignoresConditions { condition = .always }
    }

    private var isLarge: Bool { terms.length > PartPlan.singleAtMost }

    /// The try begins.
    ///
    /// - Parameters:
    ///   - upload: one that an earlier try of this file has begun; nil for none.
    ///   - path: its path.
    ///   - tag: the entity tag of the object that it replaces.
    /// - Returns: the first action.
    mutating func begin(
        continuing upload: UploadName? = nil, at path: String = "", replacing tag: String? = nil
    ) -> Action {
        if let upload {
            self.upload = upload
            self.path = path
            condition = tag.map { conditioned(.unchanged(tag: $0)) } ?? condition
            phase = .listing
            return .list(upload)
        }
        switch terms.rule {
        case .fail where !isLarge, .rename where !isLarge: return write()
        case .fail, .rename, .replace, .replaceIfSame: return look()
        }
    }

    /// The facts of the object were read; nil if there is none.
    mutating func headed(_ facts: ObjectFacts?) -> Action {
        var lost: StoreFailure?
        switch phase {
        case .looking: break
        case .resolving(let failure): lost = failure
        default: return unexpected()
        }
        if let facts, facts.download == terms.download {
            guard !hasBytes(facts) else { return stored(facts.tag) }
            condition = conditioned(facts.tag.map { .unchanged(tag: $0) } ?? .always)
        } else if let lost, lost.kind == .unknown {
            // The write may still be under way, so it is repeated by a later try.
            return end(.failed(lost))
        } else if let facts {
            switch terms.rule {
            case .fail: return end(.taken(path: path))
            case .replaceIfSame:
                return hasBytes(facts) ? stored(facts.tag) : end(.taken(path: path))
            case .replace: condition = conditioned(facts.tag.map { .unchanged(tag: $0) } ?? .always)
            case .rename: return rename()
            }
        } else {
            condition = conditioned(.absent)
        }
        return write()
    }

    /// An upload has begun, and the row names it.
    mutating func began(_ name: UploadName) -> Action {
        guard case .beginning = phase else { return unexpected() }
        upload = name
        phase = .sending
        return .send(name)
    }

    /// The parts that are there were read.
    mutating func listed() -> Action {
        guard case .listing = phase, let upload else { return unexpected() }
        phase = .sending
        return .send(upload)
    }

    /// All parts are there.
    mutating func sentParts() -> Action {
        guard case .sending = phase, let upload else { return unexpected() }
        phase = .completing
        return .complete(upload, condition)
    }

    /// The store has confirmed the object.
    mutating func wrote(_ facts: ObjectFacts) -> Action {
        switch phase {
        case .putting, .completing: return stored(facts.tag)
        default: return unexpected()
        }
    }

    /// An upload whose name is taken is gone.
    mutating func aborted() -> Action {
        guard case .aborting = phase else { return unexpected() }
        upload = nil
        return isLarge ? look() : write()
    }

    /// An action has failed.
    mutating func failed(_ failure: StoreFailure) -> Action {
        if failure.kind == .damaged { return end(.damaged(failure)) }
        switch (phase, failure.kind) {
        case (.putting, .conflict), (.putting, .unknown), (.completing, .conflict),
            (.completing, .unknown):
            return resolve(failure)
        case (.listing, .noUpload), (.sending, .noUpload), (.completing, .noUpload):
            // A completion before this try may have had its effect.
            upload = nil
            return resolve(failure)
        default: return end(.failed(failure))
        }
    }

    // MARK: - Steps

    private mutating func look() -> Action {
        guard let key = terms.key(path) else { return end(.taken(path: terms.path)) }
        phase = .looking
        return .head(key)
    }

    private mutating func resolve(_ failure: StoreFailure) -> Action {
        guard let key = terms.key(path) else { return end(.failed(failure)) }
        phase = .resolving(failure)
        return .head(key)
    }

    private mutating func write() -> Action {
        guard let key = terms.key(path) else { return end(.taken(path: terms.path)) }
        writes += 1
        guard writes <= StoreUpload.writesAtMost else {
            return end(
                .failed(
                    StoreFailure(.again, "other writers keep changing the object, or its upload")))
        }
        guard isLarge else {
            phase = .putting
            return .put(key, condition)
        }
        if let upload {
            phase = .completing
            return .complete(upload, condition)
        }
        phase = .beginning
        return .begin(key, condition)
    }

    private mutating func rename() -> Action {
        number += 1
        guard number <= StoreUpload.namesAtMost else { return end(.taken(path: terms.path)) }
        var parts = FolderPath.components(of: terms.path)
        parts[parts.count - 1] = FolderPath.numbered(parts[parts.count - 1], number)
        path = parts.joined(separator: "/")
        (condition, writes) = (conditioned(.absent), 0)
        if let upload {
            phase = .aborting
            return .abort(upload)
        }
        return isLarge ? look() : write()
    }

    private func conditioned(_ condition: WriteCondition) -> WriteCondition {
        terms.ignoresConditions ? .always : condition
    }

    private func hasBytes(_ facts: ObjectFacts) -> Bool {
        facts.sha256 == terms.sha256 && (facts.length ?? terms.length) == terms.length
    }

    private mutating func stored(_ tag: String?) -> Action { end(.stored(path: path, tag: tag)) }

    private mutating func end(_ end: End) -> Action {
        phase = .over
        return .end(end)
    }

    private func unexpected() -> Action { preconditionFailure("events answer actions") }
}
