// Conditions: pushed by back ends, measured here, read by all.
internal import Base
internal import Downloads
internal import HTTPWire
internal import Scheduling
internal import Store

/// The endpoints of conditions.
final class ConditionEndpoints: EndpointGroup {
    private let conditions: Conditions
    private let worker: WorkerAccess

    /// Creates the group with the values that its endpoints use.
    init(conditions: Conditions, worker: WorkerAccess) {
        self.conditions = conditions
        self.worker = worker
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/v1/conditions", "listConditions", scope: .readDownloads,
                or: .admin, answers: [.json()], .now(list)),
            Route(
                "GET", "/v1/conditions/{name}", "getCondition", scope: .readDownloads,
                or: .admin, answers: [.json()], .later(get)),
            Route(
                "PUT", "/v1/conditions/{name}", "putCondition", scope: .admin,
                body: [MediaType.json], answers: [.json()], .later(put)),
            Route(
                "DELETE", "/v1/conditions/{name}", "deleteCondition", scope: .admin,
                answers: [.empty(204)], .later(delete)),
        ]
    }

    /// `GET /v1/conditions`: all declared, built-in and pushed ones.
    func list(_ call: Call) throws(Problem) -> Response {
        let situation = worker.situation(call.now)
        var writer = JSONWriter(capacity: 4096)
        writer.beginObject()
        writer.key("data")
        writer.beginArray()
        for name in situation.conditions.names {
            shown(name, situation).write(to: &writer, history: nil)
        }
        writer.endArray()
        writer.endObject()
        return .json(writer)
    }

    /// `GET /v1/conditions/{name}`, with its last changes.
    func get(_ call: Call) async throws(Problem) -> Response {
        let name = try conditionName(call)
        let changes = try await call.stored { () throws(StoreError) in
            try await conditions.changes(of: name)
        }
        let situation = worker.situation(call.now)
        guard situation.conditions.names.contains(name) || !changes.isEmpty else {
            throw Problem(
                .notFound,
                "There is no condition \"\(name)\": no policy declares it, and no value was "
                    + "pushed.")
        }
        return answer(name, situation, changes)
    }

    private func answer(
        _ name: String, _ situation: Situation, _ changes: [ConditionChange]?
    ) -> Response {
        var writer = JSONWriter(capacity: 1024)
        shown(name, situation).write(to: &writer, history: changes)
        return .json(writer)
    }

    private func shown(_ name: String, _ situation: Situation) -> ShownCondition {
        let own = [worker.ownReadings(situation.now)].compactMap(\.self)
        let replicas = (own + situation.others).sorted { $0.number < $1.number }
        return ShownCondition(name, in: situation, replicas: replicas)
    }

    /// `PUT /v1/conditions/{name}`: the last writer wins.
    func put(_ call: Call) async throws(Problem) -> Response {
        let name = try conditionName(call)
        let track = worker.situation(call.now).conditions.track(name)
        if track?.isMeasured == true {
            throw .invalid(
                "#", "is a condition that the replicas measure themselves, so it cannot be pushed")
        }
        let push = try ConditionEndpoints.read(
            try call.document(), track?.declaration, at: call.now)
        let stored = try await call.stored { () throws(StoreError) in
            try await conditions.put(name, push)
        }
        guard let stored else {
            throw .invalid(
                "#",
                "is one condition too many: values of \(Conditions.namesAtMost) are kept; DELETE "
                    + "one that is not used any more")
        }
        worker.conditionPushed(name, stored.record.push, stored.version)
        return answer(name, worker.situation(call.now), nil)
    }

    /// `DELETE /v1/conditions/{name}`: from then on the default counts.
    func delete(_ call: Call) async throws(Problem) -> Response {
        let name = try conditionName(call)
        let version = try await call.stored { () throws(StoreError) in
            try await conditions.remove(name)
        }
        guard let version else {
            throw Problem(.notFound, "No value of \"\(name)\" was pushed.")
        }
        worker.conditionPushed(name, nil, version)
        return Response(status: 204)
    }

    private func conditionName(_ call: Call) throws(Problem) -> String {
        let name = call.parameters[0]
        guard ConditionName.isValid(name) else {
            throw Problem(
                .notFound,
                "\"\(name)\" is not the name of a condition, which has only letters, digits, _, - "
                    + "and .")
        }
        return name
    }

    /// The most values of a schedule.
    private static let stepsAtMost = 400

    private static func read(
        _ document: JSON, _ declaration: ConditionDeclaration?, at now: Timestamp
    ) throws(Problem) -> ConditionPush {
        guard case .object(let object) = document else { throw .invalid("#", "must be an object") }
        var reader = FieldReader(object)
        func value(_ json: JSON?, _ refuse: (String) -> Void) -> ConditionValue? {
            guard let value = json.flatMap({ ConditionValue($0) }) else {
                refuse("must be a number, a word, true or false")
                return nil
            }
            if let complaint = declaration?.type.complaint(value) { refuse(complaint) }
            return value
        }
        let own = value(reader.value("value")) { reader.refuse("value", $0) }
        var push = ConditionPush(value: own ?? .flag(false), pushedAt: now)
        push.ttl = reader.integer("ttl_seconds", in: 1...31_536_000).map { .seconds($0) }
        push.source = reader.string("source", maximumLength: 256)
        if let list = reader.value("schedule") {
            guard let items = list.arrayValue, items.count <= stepsAtMost else {
                throw .invalid("#/schedule", "must be a list of at most \(stepsAtMost) values")
            }
            for (place, item) in items.enumerated() {
                var part = FieldReader(
                    item.objectValue ?? JSONObject(), at: "#/schedule/\(place)")
                let from = part.timestamp("from")
                let step = value(part.value("value")) { part.refuse("value", $0) }
                if from == nil, part.errors.isEmpty { part.refuse("from", "is required") }
                reader.adopt(part.finish())
                guard let from, let step else { continue }
                if let last = push.schedule.last?.from, from <= last {
                    reader.refuse(
                        "schedule", at: place,
                        "must have a later \"from\" than the entry before it")
                }
                push.schedule.append(ConditionPush.Step(from: from, value: step))
            }
        }
        let errors = reader.finish()
        guard errors.isEmpty else { throw .invalid(errors) }
        return push
    }
}
