import Foundation
import Support
import Synchronization
import Testing

@testable import LullClient

/// Each operation of openapi.yaml is called against the real program.
@Suite(.enabled(if: World.binary != nil))
struct OperationTests {
    /// The names of the operations of openapi.yaml, but for those of replicas among themselves.
    static func operations() throws -> Set<String> {
        let text = try String(
            contentsOf: World.root.appending(path: "openapi.yaml"), encoding: .utf8)
        var names: Set<String> = []
        var path = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("  /") { path = String(line) }
            // The requests of the next part are those that the service sends.
            if line == "webhooks:" { break }
            let words = line.split(separator: " ")
            if words.first == "operationId:", words.count == 2, !path.hasPrefix("  /internal/") {
                names.insert(String(words[1]))
            }
        }
        return names
    }

    @Test func everyOperationIsCalledOnce() async throws {
        try await withWorld { world in
            let called = Mutex<Set<String>>([])
            var lull = Lull(server: world.server)
            lull.onCall = { name in called.withLock { _ = $0.insert(name) } }
            try world.makeFile("a.bin", length: 1000)
            let url = world.origin + "/a.bin"
            try await Scene(lull: lull, url: url).play()
            let missing = try OperationTests.operations()
                .symmetricDifference(called.withLock { $0 })
            #expect(missing.isEmpty, "\(missing)")
        }
    }
}

/// Calls of all operations, each with what it needs.
private struct Scene {
    let lull: Lull
    let url: String

    func play() async throws {
        try await sessions()
        try await downloads()
        try await content()
        try await uploads()
        try await policy()
        try await webhooks()
        try await sources()
        try await operation()
    }

    /// Expects that the service refuses, and says why.
    func refused(_ codes: Problem.Code..., call: () async throws -> Void) async throws {
        do {
            try await call()
            Issue.record("was not refused with \(codes)")
        } catch let error as LullError {
            let problem = try #require(error.problem, "\(error)")
            #expect(codes.contains(problem.code), "\(problem)")
        }
    }

    func sessions() async throws {
        let session = try await lull.putSession(
            identifier: "client", SessionConfiguration(isDiscretionary: false))
        #expect(session.state == .active)
        let changed = try await lull.changeSession(
            identifier: "client", SessionPatch(maxRunning: .set(4), webhookEvents: .remove))
        #expect(changed.configuration.maxRunning == 4)
        #expect(try await lull.getSession(identifier: "client").version == changed.version)
        #expect(try await lull.listSessions().data.map(\.identifier).contains("client"))
        #expect(try await lull.suspendSession(identifier: "client").state == .suspended)
        #expect(try await lull.resumeSession(identifier: "client").state == .active)
        try await lull.enterForeground(identifier: "client")
        #expect(try await lull.attachSession(identifier: "client").data.isEmpty)
        try await lull.forceQuitSession(identifier: "client")
        try await lull.enterForeground(identifier: "client")
        try await lull.putSession(identifier: "short", SessionConfiguration())
        try await lull.deleteSession(identifier: "short")
        let token = "wk_5ZZQ8Q2M9V7T4K3H2G1F0E9D8C"
        try await refused(.notFound, .wakeExpired) { try await lull.completeWake(token: token) }
        try await refused(.notFound, .wakeExpired) {
            try await lull.extendWake(token: token, WakeExtension(seconds: 30))
        }
    }

    func downloads() async throws {
        let held = try await lull.createDownload(
            NewDownload(
                url: url, session: "client", earliestBeginDate: Date() + 3600,
                metadata: ["ticket": "OPS 12/ä"]))
        #expect(held.state == .waiting)
        #expect(held.blockers.first?.code == .earliestBeginDate)
        let id = held.id
        #expect(
            try await lull.changeDownload(id: id, DownloadPatch(priority: .set(0.9))).priority
                == 0.9)
        #expect(try await lull.suspendDownload(id: id).state == .suspended)
        #expect(try await lull.resumeDownload(id: id).state == .waiting)
        #expect(try await lull.explainDownload(id: id).state == .waiting)
        #expect(try await lull.getForecast().downloads.map(\.id) == [id])
        try await refused(.noResumeData, .invalidStateTransition) {
            _ = try await lull.getResumeData(id: id)
        }
        let page = try await lull.listDownloads(
            state: [.waiting, .running], metadata: ["ticket": "OPS 12/ä"])
        #expect(page.data.map(\.id) == [id])
        #expect(try await lull.listDownloadRows(session: "client").data.first?.name == "a.bin")
        #expect(try await lull.getOverview().states["waiting"] == 1)
        #expect(try await lull.cancelDownload(id: id).state == .canceled)
        #expect(try await lull.retryDownload(id: id).state == .waiting)
        let batch = try await lull.createDownloads(
            NewBatch(
                downloads: [NewDownload(url: url), NewDownload(url: url)], session: "client",
                defaults: NewDownload(suspended: true)))
        #expect(batch.data.map(\.state) == [.suspended, .suspended])
        let acted = try await lull.actOnDownloads(
            .actionByFilter(ActionByFilter(action: .cancel, filter: .init(session: "client"))))
        #expect(acted.changed == 3)
        try await lull.deleteDownload(id: id)
        try await refused(.notFound) { _ = try await lull.getDownload(id: id) }
    }

    func content() async throws {
        let made = try await lull.createDownload(NewDownload(url: url), wait: 30)
        let download = try await lull.ended(made.id)
        #expect(download.state == .succeeded)
        let id = download.id
        #expect(try await lull.listAttempts(id: id).data.map(\.outcome) == [.succeeded])
        let events = try await lull.listDownloadEvents(id: id)
        #expect(events.data.last?.type == .downloadSucceeded)
        #expect(events.data.last?.data.download?.content?.length == 1000)
        #expect(try await lull.listEvents().data.isEmpty == false)
        let part = try await lull.getContent(id: id, range: 10..<20)
        #expect((part.bytes.count, part.offset, part.length ?? 0) == (10, 10, 1000))
        #expect(try await lull.headContent(id: id).sha256 == download.content?.sha256)
        let link = try await lull.createContentLink(id: id)
        let token = try #require(link.href.split(separator: "/").last)
        #expect(try await lull.getLinkedContent(token: String(token)).bytes.count == 1000)
        try await lull.releaseContent(id: id)
        try await refused(.contentExpired) { _ = try await lull.getContent(id: id) }
    }

    func uploads() async throws {
        let receiver = Receiver(url: String(url.dropLast("/a.bin".count)) + "/in")
        func made(_ length: Int) async throws -> String {
            try await lull.createUpload(
                NewUpload(
                    destination: .receiver(receiver), length: length,
                    earliestBeginDate: Date() + 3600)
            ).id
        }
        let id = try await made(10)
        #expect(try await lull.headUploadContent(id: id).offset == 0)
        #expect(try await lull.optionsOfUploadContent(id: id).isEmpty == false)
        #expect(try await lull.patchUploadContent(id: id, offset: 0, Data(count: 4)).offset == 4)
        try await lull.putUploadContent(id: id, Data(count: 10))
        #expect(try await lull.getUpload(id: id).state == .waiting)
        #expect(
            try await lull.changeUpload(id: id, UploadPatch(priority: .set(0.1))).priority == 0.1)
        #expect(try await lull.explainUpload(id: id).state == .waiting)
        let live = try await lull.attachSession(identifier: "default").data
        #expect(
            live.contains { if case .upload(let upload) = $0 { upload.id == id } else { false } })
        #expect(try await lull.suspendUpload(id: id).state == .suspended)
        #expect(try await lull.resumeUpload(id: id).state == .waiting)
        #expect(try await lull.listUploadAttempts(id: id).data.isEmpty)
        #expect(try await lull.listUploadEvents(id: id).data.first?.type == .uploadCreated)
        #expect(try await lull.listUploads().data.map(\.id) == [id])
        #expect(try await lull.listUploadRows().data.map(\.id) == [id])
        #expect(try await lull.cancelUpload(id: id).state == .canceled)
        try await lull.retryUpload(id: id)
        try await lull.actOnUploads(.actionByIds(ActionByIds(action: .cancel, ids: [id])))
        try await lull.deleteUpload(id: id)
        try await lull.deleteUploadContent(id: try await made(10))
    }

    func policy() async throws {
        let policy = Policy(windows: ["night": ["Mon-Fri 22:00-06:00"]])
        #expect(try await lull.putPolicy(policy).document.windows == policy.windows)
        #expect(try await lull.getPolicy().version == 1)
        #expect(try await lull.listPolicyVersions().data.first?.version == 1)
        #expect(try await lull.tryPolicy(policy).counts.later == 0)
        #expect(try await lull.getPolicySchema()["properties"] != nil)
        _ = try await lull.explainPolicy(NewDownload(url: url))
        let lower = AppPolicy(limits: AppLimits(perApp: 4))
        #expect(try await lull.putAppPolicy(app: "default", lower).effective.limits.perApp == 4)
        #expect(try await lull.getAppPolicy(app: "default").app == "default")
        #expect(try await lull.listAppPolicyVersions(app: "default").data.count == 1)
        _ = try await lull.tryAppPolicy(app: "default", lower)
        try await lull.deleteAppPolicy(app: "default")
        try await lull.putPolicy(
            Policy(conditions: ["power_price": ConditionDeclaration(type: .number, default: 0.3)]))
        let pushed = try await lull.putCondition(name: "power_price", ConditionPush(value: 0.21))
        #expect(pushed.value == 0.21)
        #expect(try await lull.getCondition(name: "power_price").isKnown)
        #expect(try await lull.listConditions().data.map(\.name).contains("power_price"))
        try await lull.deleteCondition(name: "power_price")
        try await lull.deletePolicy()
    }

    func webhooks() async throws {
        let target = String(url.dropLast("/a.bin".count)) + "/in"
        let endpoint = try await lull.createWebhookEndpoint(NewWebhookEndpoint(url: target))
        let id = endpoint.id
        #expect(try await lull.getWebhookSecret(id: id).secret == endpoint.secret)
        #expect(try await lull.rotateWebhookSecret(id: id).secret != endpoint.secret)
        #expect(try await lull.getWebhookEndpoint(id: id).url == target)
        #expect(
            try await lull.changeWebhookEndpoint(
                id: id, WebhookEndpointPatch(description: .set("d"))
            ).description == "d")
        #expect(try await lull.listWebhookEndpoints().data.map(\.id).contains(id))
        let delivery = try await lull.pingWebhookEndpoint(id: id)
        #expect(delivery.endpoint == id)
        #expect(try await lull.listEndpointDeliveries(id: id).data.map(\.id) == [delivery.id])
        #expect(try await lull.listWebhookDeliveries().data.map(\.id) == [delivery.id])
        #expect(try await lull.getWebhookDelivery(id: delivery.id).type == "endpoint.ping")
        _ = try await lull.redeliverWebhook(id: delivery.id)
        _ = try await lull.getWebhookStatistics(id: id)
        _ = try await lull.recoverWebhookEndpoint(id: id, RecoveredTime(since: Date() - 60))
        try await lull.deleteWebhookEndpoint(id: id)
    }

    func sources() async throws {
        let trial = try await lull.trySchedule(
            ScheduleQuestion(schedule: LookSchedule(every: "6h")))
        #expect(!trial.instants.isEmpty)
        let source = try await lull.putSource(
            identifier: "list",
            SourceDocument(url: url, schedule: LookSchedule(cron: "0 0 1 1 *")))
        #expect(source.state == .active)
        #expect(try await lull.listSources().data.map(\.identifier) == ["list"])
        #expect(try await lull.getSource(identifier: "list").version == source.version)
        try await lull.changeSource(identifier: "list", SourcePatch(overlap: .set(.queueOne)))
        try await lull.lookAtSource(identifier: "list")
        _ = try await lull.listLooks(identifier: "list")
        _ = try await lull.listVersions(identifier: "list")
        #expect(try await lull.listItems(identifier: "list").data.isEmpty)
        let trigger = try await lull.createTrigger(identifier: "list", NewTrigger())
        #expect(try await lull.listTriggers(identifier: "list").data.map(\.id) == [trigger.id])
        #expect(try await lull.callTrigger(token: trigger.token).coalesced)
        try await lull.deleteTrigger(identifier: "list", id: trigger.id)
        #expect(try await lull.suspendSource(identifier: "list").state == .suspended)
        #expect(try await lull.resumeSource(identifier: "list").state == .active)
        try await lull.deleteSource(identifier: "list")
    }

    func operation() async throws {
        #expect(try await lull.getKey().auth == .none)
        let key = try await lull.createKey(
            NewKey(app: "media", scopes: [.downloadsRead], limits: .init(queued: .set(7))))
        #expect(key.key.hasPrefix("lull_") && key.limits.queued == 7)
        let changed = try await lull.changeKey(
            id: key.id, KeyPatch(scopes: [.admin], limits: .set(.init(queued: .remove))))
        #expect(changed.scopes == [.admin] && changed.limits.queued == nil)
        try await refused(.lastAdminKey) { try await lull.deleteKey(id: key.id) }
        try await lull.deleteKey(id: key.id, last: true)
        #expect(try await lull.listKeys(app: "media").data.first?.revokedAt != nil)
        #expect(try await lull.getVersion().name == "lull")
        #expect(try await lull.getReadiness().isReady)
        #expect(try await lull.getLiveness().isEmpty == false)
        #expect(try await lull.getMetrics().contains("lull_"))
        #expect(try await lull.getDescription().hasPrefix("openapi:"))
        #expect(try await lull.getProblemPage(slug: "not-found").contains("<"))
        _ = try await lull.getIndex()
        let place = try await lull.getPageRedirect()
        #expect(place.hasSuffix("ui/"), "\(place)")
        let page = try await lull.getPage()
        let name = try #require(page.firstMatch(of: /(?:href|src)="([a-z]+\.(?:css|js))"/)?.1)
        #expect(try await lull.getPageFile(name: String(name)).isEmpty == false)
    }
}
