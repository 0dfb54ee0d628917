// Performs the actions of `StoreUpload` for one attempt.
internal import Base
internal import Content
internal import Crypto
internal import Downloads
internal import ObjectStores
internal import Platform
internal import Store
internal import Synchronization
internal import Transfers

/// One try to bring the file of an attempt into a store.
struct StoreSending {
    /// The parts that are sent at once.
    static let partsAtOnce = 4
    /// The tries of one part before the attempt ends.
    static let triesAtMost = 3
    /// The calls that abort an upload before it counts as still there.
    private static let abortsAtMost = 8

    let run: AttemptRun
    let store: ObjectStore
    let destination: FileDestination
    let body: CompleteBody
    let call: StoreCall

    /// Brings the file into the store.
    ///
    /// - Returns: the end; nil if the attempt has lost its row.
    func perform() async -> StoreUpload.End? {
        var terms = self.terms
        do throws(StoreFailure) {
            terms.ignoresConditions = try await !run.tools.stores.conditions.honours(
                store, call, at: run.tools.content.instance)
        } catch {
            note("put", error.kind.word, hasAnswer: error.status != nil)
            return .failed(error)
        }
        guard terms.rule == .replace || !terms.ignoresConditions else {
            return .failed(StoreSending.ignoresConditions)
        }
        let known = run.handle { $0.upload }
        var machine = StoreUpload(terms)
        if let known, continues(known) {
            return await perform(
                &machine,
                machine.begin(
                    continuing: UploadName(key: known.key, id: known.id), at: known.path,
                    replacing: known.tag))
        }
        if let known, let failure = await giveUp(known) { return .failed(failure) }
        return await perform(&machine, machine.begin())
    }

    /// The failure of a store that ignores conditions, where the client's rule needs them.
    static let ignoresConditions = StoreFailure(.refused, "the store ignores conditions")

    private func perform(
        _ machine: inout StoreUpload, _ first: StoreUpload.Action
    ) async -> StoreUpload.End? {
        var action = first
        var parts: [StoredPart] = []
        while true {
            switch action {
            case .end(let end): return end
            case .head(let key):
                let found = await asked("head") { () throws(StoreFailure) in
                    try await facts(of: key)
                }
                action = machine.next(found) { $0.headed($1) }
            case .put(let key, let condition):
                action = machine.next(await put(key, condition)) { $0.wrote($1) }
            case .begin(let key, let condition):
                let result = await begin(key, condition, at: machine.path)
                guard let result else { return nil }
                parts = []
                action = machine.next(result) { $0.began($1) }
            case .list(let upload):
                let found = await asked("list_parts") { () throws(StoreFailure) in
                    try await store.parts(of: upload, call)
                }
                if case .success(let list) = found { parts = await usable(list) }
                action = machine.next(found) { machine, _ in machine.listed() }
            case .send(let upload):
                let sent = await sendParts(of: upload, parts)
                if case .success(let all) = sent { parts = all }
                action = machine.next(sent) { machine, _ in machine.sentParts() }
            case .complete(let upload, let condition):
                // A process that has lost its row does not make an object.
                guard await run.owner.insistOnResumePoint(run.wholePoint(of: body)) else {
                    return nil
                }
                action = machine.next(await complete(upload, parts, condition)) { $0.wrote($1) }
            case .abort(let upload):
                let gone = await abortUntilGone(upload, in: store)
                if case .success = gone { run.handle { $0.upload = nil } }
                action = machine.next(gone) { machine, _ in machine.aborted() }
            }
        }
    }

    private var terms: StoreUpload.Terms {
        let spec = run.claim.download.shared.value
        let location = store.location
        return StoreUpload.Terms(
            path: destination.path ?? run.fileName(of: body),
            isNamedByClient: destination.path != nil || spec.filename != nil,
            onConflict: destination.onConflict,
            download: run.claim.download.id.text, length: body.length,
            sha256: body.sha256, key: { location.takes($0) ? location.key(for: $0) : nil })
    }

    private func object(_ key: String) -> NewObject {
        var object = NewObject(
            key: key, download: run.claim.download.id.text,
            sha256: Hex.decode(body.sha256) ?? [])
        if let type = run.response(of: body)?.headers.contentType { object.contentType = type }
        object.disposition = ContentDisposition.attachment(name: run.fileName(of: body))
        return object
    }

    // MARK: - Requests

    /// The facts of an object; nil if there is none.
    ///
    /// Amazon S3 answers 403 about a missing object to credentials that may not list the bucket.
    /// The condition of the write that follows protects an object that is there all the same.
    private func facts(of key: String) async throws(StoreFailure) -> ObjectFacts? {
        do throws(StoreFailure) {
            return try await store.head(key, call)
        } catch  where error.status == 403 && !terms.ignoresConditions {
            return nil
        }
    }

    private func put(
        _ key: String, _ condition: WriteCondition
    ) async -> Result<ObjectFacts, StoreFailure> {
        var crc: UInt64?
        if store.location.checksum == .crc64nvme {
            guard let digest = await digested(0..<body.length) else { return .failure(unreadable) }
            crc = digest.crc64
        }
        let count = SentCount(run)
        let content = content(
            0..<body.length, sha256: Hex.decode(body.sha256) ?? [], crc64: crc, count)
        let result = await asked("put") { () throws(StoreFailure) in
            try await store.put(object(key), content, if: condition, call)
        }
        if case .failure = result { count.undo() }
        return result
    }

    /// Begins an upload, and names it in the row.
    ///
    /// - Returns: its name; nil if the attempt has lost its row.
    private func begin(
        _ key: String, _ condition: WriteCondition, at path: String
    ) async -> Result<UploadName, StoreFailure>? {
        let result = await asked("begin_upload") { () throws(StoreFailure) in
            try await store.beginUpload(object(key), call)
        }
        guard case .success(let name) = result else { return result }
        var upload = StoredUpload(
            store: store.identifier, key: key, path: path, id: name.id,
            partBytes: PartPlan(length: body.length).partBytes,
            instance: run.tools.content.instanceText, sha256: body.sha256)
        upload.wish = destination.path
        if case .unchanged(let tag) = condition { upload.tag = tag }
        run.handle { $0.upload = upload }
        guard await run.owner.insistOnResumePoint(run.wholePoint(of: body)) else {
            // No row names it.
            _ = await asked("abort") { () throws(StoreFailure) in try await store.abort(name, call)
            }
            return nil
        }
        return result
    }

    private func complete(
        _ upload: UploadName, _ parts: [StoredPart], _ condition: WriteCondition
    ) async -> Result<ObjectFacts, StoreFailure> {
        var crc: UInt64?
        if store.location.checksum == .crc64nvme {
            guard let digest = await digested(0..<body.length) else { return .failure(unreadable) }
            crc = digest.crc64
        }
        return await asked("complete") { () throws(StoreFailure) in
            try await store.complete(upload, parts, crc64: crc, if: condition, call)
        }
    }

    /// Sends a request, and counts it.
    func asked<Value>(
        _ operation: String, _ request: () async throws(StoreFailure) -> Value
    ) async -> Result<Value, StoreFailure> {
        do throws(StoreFailure) {
            let value = try await request()
            note(operation, "done", hasAnswer: true)
            return .success(value)
        } catch {
            note(operation, error.kind.word, hasAnswer: error.status != nil)
            return .failure(error)
        }
    }

    private func note(_ operation: String, _ outcome: String, hasAnswer: Bool) {
        run.tools.stores.tally.count(store.name, operation, outcome)
        if hasAnswer, run.claim.announcesReach { run.owner.reached() }
    }

    private let unreadable = StoreFailure(.damaged, "the file could not be read")

    init(
        run: AttemptRun, store: ObjectStore, destination: FileDestination, body: CompleteBody,
        call: StoreCall
    ) {
        self.run = run
        self.store = store
        self.destination = destination
        self.body = body
        self.call = call
    }

    // MARK: - Uploads of earlier tries

    /// Whether an upload was begun for this file, by this data directory, under a name that the
    /// client still wants.
    private func continues(_ upload: StoredUpload) -> Bool {
        upload.store == store.identifier && upload.instance == run.tools.content.instanceText
            && upload.sha256 == body.sha256 && upload.wish == destination.path
    }

    /// Aborts an upload of another owner or for another place.
    ///
    /// - Returns: the failure; nil if it is gone, or its store is not configured any more, so that
    ///   the store's own rules have to remove it.
    private func giveUp(_ upload: StoredUpload) async -> StoreFailure? {
        if let other = run.tools.stores.open.find(upload.store) {
            let name = UploadName(key: upload.key, id: upload.id)
            if case .failure(let failure) = await abortUntilGone(name, in: other) {
                return failure
            }
        }
        run.handle { $0.upload = nil }
        return nil
    }

    /// Aborts an upload until the store says that it is gone: a part that was under way may keep it
    /// alive.
    func abortUntilGone(
        _ upload: UploadName, in store: ObjectStore
    ) async -> Result<Void, StoreFailure> {
        for round in 1...StoreSending.abortsAtMost {
            let aborted = await asked("abort") { () throws(StoreFailure) in
                try await store.abort(upload, call)
            }
            if case .failure(let failure) = aborted { return .failure(failure) }
            let parts = await asked("list_parts") { () throws(StoreFailure) in
                try await store.parts(of: upload, call)
            }
            switch parts {
            case .failure(let failure) where failure.kind == .noUpload: return .success(())
            case .failure(let failure): return .failure(failure)
            case .success: await Alarm().wait(upTo: .milliseconds(50 << min(round, 5)))
            }
        }
        return .failure(StoreFailure(.again, "an aborted upload is still there"))
    }
}

extension StoreUpload {
    /// The action after a request.
    fileprivate mutating func next<Value>(
        _ result: Result<Value, StoreFailure>, _ event: (inout StoreUpload, Value) -> Action
    ) -> Action {
        switch result {
        case .success(let value): event(&self, value)
        case .failure(let failure): failed(failure)
        }
    }
}

extension StoreFailure.Kind {
    /// The word for metrics.
    var word: String {
        switch self {
        case .again: "again"
        case .unknown: "unknown"
        case .conflict: "conflict"
        case .noUpload: "no_upload"
        case .missing: "missing"
        case .refused: "refused"
        case .damaged: "damaged"
        case .cancelled: "cancelled"
        }
    }
}
