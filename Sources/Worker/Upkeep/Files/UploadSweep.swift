// Aborts uploads in parts that nobody goes on with.
internal import Base
internal import Content
internal import Downloads
internal import ObjectStores
internal import Platform
internal import Store

/// Looks through the uploads under the prefixes of the stores, a bounded number at a time.
///
/// An upload that was begun right before a crash is named by no row. A row names its upload within
/// moments of the beginning, so one that is old and unnamed belongs to nobody.
struct UploadSweep: IndependentDuty {
    /// The most pages of a store in one turn.
    private static let pagesAtMost = 10

    let name = "uploads without a download"
    let contents: Contents
    let stores: WorkerStores
    /// The identifier of the data directory.
    let instance: Identifier
    let spacing: Duration
    /// The age from which an upload that no row names is aborted.
    let age: Duration
    /// The places at which the next turn goes on, by store; nil for the first page.
    private var cursors: [Identifier: String] = [:]

    init(
        _ contents: Contents, _ stores: WorkerStores, at instance: Identifier, spacing: Duration,
        age: Duration
    ) {
        (self.contents, self.stores, self.instance) = (contents, stores, instance)
        (self.spacing, self.age) = (spacing, age)
    }

    mutating func turn(_ context: DutyContext) async throws(StoreError) -> NextTurn {
        for store in stores.open.all where context.isWorking {
            try await sweep(store, context)
        }
        return .after(spacing)
    }

    private mutating func sweep(
        _ store: ObjectStore, _ context: DutyContext
    ) async throws(StoreError) {
        do throws(StoreFailure) {
            // Also removes the probe object that a process of before may have left.
            _ = try await stores.conditions.honours(
                store, StoreCall(.ofDuties), at: instance)
        } catch {
            // The first download for the store asks again.
        }
        for _ in 0..<UploadSweep.pagesAtMost where context.isWorking {
            let page: (uploads: [ListedUpload], next: String?)
            do throws(StoreFailure) {
                page = try await store.uploads(
                    after: cursors[store.identifier], StoreCall(.ofDuties))
            } catch {
                cursors[store.identifier] = nil
                return report(error, of: store, context)
            }
            let latest = (context.clock.now - age).seconds
            let old = page.uploads.filter { $0.begunAt < latest }.map(\.name)
            let named = try await contents.namedUploads(among: old.map(\.id))
            for upload in old where !named.contains(upload.id) && context.isWorking {
                await abort(upload, of: store, context)
            }
            cursors[store.identifier] = page.next
            guard page.next != nil else { return }
        }
    }

    private func abort(
        _ upload: UploadName, of store: ObjectStore, _ context: DutyContext
    ) async {
        do throws(StoreFailure) {
            try await store.abort(upload, StoreCall(.ofDuties))
            stores.tally.count(store.name, "abort", "done")
            context.log.info(
                "upload without a download aborted",
                [("destination", .string(store.name)), ("key", .string(upload.key))])
        } catch {
            report(error, of: store, context)
        }
    }

    private func report(
        _ failure: StoreFailure, of store: ObjectStore, _ context: DutyContext
    ) {
        stores.tally.count(store.name, "list_uploads", failure.kind.word)
        context.log.warn(
            "uploads of a store could not be looked through",
            [
                ("destination", .string(store.name)), ("error", .string(failure.detail)),
                ("code", .string(failure.code ?? "")),
            ])
    }
}
