// Applies the answers of begin hooks, by the rules of every other change.
internal import Base
package import Downloads
internal import HTTPWire
internal import Store

/// Takes the answers of begin hooks.
///
/// An answer is applied only while its question is open, and names the state of the download in
/// which it was judged: of two replicas that have one answer each only one applies it, and neither
/// after the download has begun.
package struct HookAnswerHandler: Sendable {
    private let endpoints: DownloadEndpoints
    private let route: Route
    private let now: @Sendable () -> Timestamp
    private let report: @Sendable (_ requestID: String, _ cause: String) -> Void
    private let hooks: BeginHooks
    private let downloads: Downloads
    private let changed: @Sendable () -> Void

    /// Creates a handler that changes downloads as `PATCH` does; `changed` is called when a
    /// download may begin or has ended.
    package init(_ dependencies: Dependencies, changed: @escaping @Sendable () -> Void) {
        endpoints = dependencies.downloadEndpoints
        guard let route = endpoints.routes.first(where: { $0.operation == "changeDownload" }) else {
            preconditionFailure("downloads can be changed")
        }
        self.route = route
        now = dependencies.now
        report = dependencies.report
        hooks = dependencies.store.downloads.beginHooks
        downloads = dependencies.store.downloads
        self.changed = changed
    }

    /// Applies an answer.
    ///
    /// A repeated or late answer is not applied, because the question is closed. Without an answer
    /// the result only tells whether the question is closed.
    package func take(_ answer: BeginAnswer?, to question: HookQuestion) async -> HookOutcome {
        let (id, sequence) = (question.download, question.sequence)
        do throws(StoreError) {
            switch answer {
            case nil:
                let isOpen = try await hooks.state(id, question: sequence) != nil
                return isOpen ? .taken : .closed
            case .cancel:
                guard try await hooks.cancel(id, app: question.app, question: sequence) else {
                    return .closed
                }
            case .useNewRequest(let members):
                let outcome = try await change(members, question)
                guard outcome == .taken else { return outcome }
                guard try await hooks.pass(id, question: sequence) else { return .closed }
            case .continueLoading:
                guard try await hooks.pass(id, question: sequence) else { return .closed }
            }
            changed()
            return .taken
        } catch {
            return .failed
        }
    }

    /// Changes the request of a download as its client could: a new origin is judged anew.
    ///
    /// The answer's request replaces the old one: headers, credentials and a body that it does not
    /// give are not sent.
    private func change(
        _ members: JSONObject, _ question: HookQuestion
    ) async throws(StoreError) -> HookOutcome {
        // Repeated if another change is committed between the read and this one.
        for _ in 0..<4 {
            guard
                let state = try await hooks.state(
                    question.download, question: question.sequence)
            else { return .closed }
            guard
                let old = try await downloads.find(question.download, app: question.app)?.download
            else { return .closed }
            guard old.sequence == state else { continue }
            let shape = question.isBeforeSending ? old.spec.request.relay : old.spec.request
            guard shape.bodyBytes == nil || members["body"] != nil || members["body_base64"] != nil
            else {
                return .refused(
                    "#/body is missing: a new request needs its own body, or null to have none")
            }
            do throws(Problem) {
                let whole = HookAnswerHandler.whole(members, over: shape)
                try await change(
                    old.id, by: question.isBeforeSending ? ["destination": .object(whole)] : whole,
                    in: state, for: question.app)
                return .taken
            } catch {
                switch error.kind.status {
                case 412: continue
                case 400..<500:
                    return .refused(
                        HookAnswerHandler.reason(
                            of: error, in: question.isBeforeSending ? "#/destination" : "#"))
                default: return .failed
                }
            }
        }
        return .failed
    }

    /// Changes a download while its last event is the one with the given number.
    private func change(
        _ id: Identifier, by document: JSONObject, in state: Int64, for app: Int64
    ) async throws(Problem) {
        if let pointer = JSON.object(document).pointerOfNUL(at: "#") {
            throw .invalid(pointer, "must not have the character U+0000")
        }
        let patch: DownloadPatch
        switch DownloadPatch.parse(.object(document)) {
        case .success(let value): patch = value
        case .failure(let errors): throw .invalid(errors)
        }
        var headers = HeaderFields()
        headers.append("If-Match", EntityTag.weak("\(state)-0").text)
        let request = Request(
            method: route.method, path: DownloadAnswers.path(of: id), headers: headers,
            body: [], authority: nil, peer: "")
        // It may change the download as its client could, who gave it the hook and the receiver of
        // its file, and read nothing of it.
        let call = Call(
            request, id: id.text, at: now(), route: route, parameters: [],
            query: Query(),
            grant: KeyGrant(app: app, scopes: [.writeDownloads, .writeUploads]), key: nil,
            log: report)
        _ = try await endpoints.change(id, by: patch, call)
    }

    /// A patch that removes everything from a request except the answer's members and the proxy.
    private static func whole(_ members: JSONObject, over shape: RequestShape) -> JSONObject {
        var patch = members
        if shape.authorizationType != nil, members["authorization"] == nil {
            patch["authorization"] = .null
        }
        guard !shape.headerNames.isEmpty else { return patch }
        guard let given = members["headers"] else {
            patch["headers"] = .null
            return patch
        }
        guard let fields = given.objectValue else { return patch }
        var all = JSONObject()
        for name in shape.headerNames where fields[name] == nil { all[name] = .null }
        for (name, value) in fields.members { all.append(name, value) }
        patch["headers"] = .object(all)
        return patch
    }

    /// The members of an answer that a problem refuses, in one line.
    ///
    /// The text of the problem is left out, because it may quote values, and would be stored with
    /// the delivery although an answer is a secret.
    private static func reason(of problem: Problem, in object: String) -> String {
        let known = Set(BeginAnswer.members + BeginAnswer.sendingMembers).sorted()
        let members = known.filter { member in
            problem.findings.contains {
                $0.pointer == "\(object)/\(member)"
                    || $0.pointer.hasPrefix("\(object)/\(member)/")
            }
        }
        let names = members.isEmpty ? "" : " for its " + members.joined(separator: ", ")
        return "\(problem.kind.rawValue)\(names); "
            + "to read the reason, PATCH the download with the same members"
    }
}
