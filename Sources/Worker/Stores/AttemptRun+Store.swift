// Brings a whole file into the store of its download, before the end of the attempt is recorded.
internal import Base
internal import Content
internal import Downloads
internal import ObjectStores
internal import Platform
internal import Store
internal import Synchronization

extension AttemptRun {
    /// The destination of the download, if it is a store.
    var storeDestination: FileDestination? { claim.download.shared.value.sendTarget?.store }

    /// The parts that are sent at once: with a limit of the download one, since the limit holds for
    /// each request.
    var partsAtOnce: Int { state.withLock { $0.limit } == nil ? StoreSending.partsAtOnce : 1 }

    /// The report of an attempt after its file was brought into its store.
    ///
    /// - Returns: the report; another one where the store has not taken the file, which is kept.
    @inline(never) func stored(
        _ report: AttemptReport, in destination: FileDestination
    ) async -> AttemptReport {
        guard case .complete(let body) = report else { return report }
        guard let store = tools.stores.open.find(destination.name, app: claim.appName),
            store.location.endpoint.origin == destination.store
        else {
            return .failed(
                StoreRules.gone(destination.name), kept: wholePoint(of: body), told: nil)
        }
        let call = StoreCall(bounds)
        state.withLock { $0.storeCall = call }
        // An order that came before the call was noted can find it from here on.
        if let order = handle({ $0.order }) {
            return await stopped(order, body, store)
        }
        let sending = StoreSending(
            run: self, store: store, destination: destination, body: body, call: call)
        guard let end = await sending.perform() else { return .stopped(.abandon, kept: nil) }
        switch end {
        case .stored(let path, let tag):
            handle { $0.upload = nil }
            var body = body
            body.placed = PlacedFile(name: destination.name, path: path)
            body.object = CompleteBody.Object(store: store.identifier, tag: tag)
            body.isSent = true
            return .complete(body)
        case .taken(let path):
            if let order = handle({ $0.order }) { return await stopped(order, body, store) }
            return .failed(
                StoreRules.taken(path, in: destination.name), kept: wholePoint(of: body), told: nil)
        case .damaged(let failure):
            // The next attempt digests the file, and fetches it again if it has other bytes.
            state.withLock { $0.mark = nil }
            return failed(failure, body, in: destination)
        case .failed(let failure):
            if let order = handle({ $0.order }) { return await stopped(order, body, store) }
            return failed(failure, body, in: destination)
        }
    }

    private func failed(
        _ failure: StoreFailure, _ body: CompleteBody, in destination: FileDestination
    ) -> AttemptReport {
        guard failure != StoreSending.ignoresConditions else {
            return .failed(
                StoreRules.ignoresConditions(destination.name), kept: wholePoint(of: body),
                told: nil)
        }
        let (failure, told) = StoreRules.failure(failure, of: destination.name)
        return .failed(failure, kept: wholePoint(of: body), told: told)
    }

    /// The report of a stopped try; the upload of a canceled download is aborted, at once where
    /// that is possible.
    private func stopped(
        _ order: RunOrder, _ body: CompleteBody, _ store: ObjectStore
    ) async -> AttemptReport {
        guard order == .cancel else { return .stopped(order, kept: wholePoint(of: body)) }
        if let upload = handle({ $0.upload }), upload.store == store.identifier {
            var bounds = StoreCall.Bounds()
            bounds.totalTimeout = .seconds(10)
            do throws(StoreFailure) {
                try await store.abort(
                    UploadName(key: upload.key, id: upload.id), StoreCall(bounds))
            } catch {
                // The search for uploads without a row finds it later.
            }
        }
        return .stopped(.cancel, kept: nil)
    }

    private var bounds: StoreCall.Bounds {
        var bounds = StoreCall.Bounds()
        bounds.rateScopes = rateScopes
        bounds.rank = Int(claim.download.schedulingClass.rawValue)
        bounds.maximumBytesPerSecond = state.withLock { $0.limit }
        bounds.idleTimeout = .seconds(claim.download.shared.value.requestTimeout)
        bounds.lowSpeed = tools.settings.lowSpeed?.over(atLeast: bounds.idleTimeout)
        bounds.totalTimeout = max(.seconds(1), deadline - tools.clock.now)
        return bounds
    }
}
