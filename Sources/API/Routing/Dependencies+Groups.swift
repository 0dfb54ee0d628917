// Gives each group of endpoints its dependencies.
internal import Store

extension Dependencies {
    /// All groups of endpoints, each with its dependencies.
    var endpointGroups: [any EndpointGroup] {
        let downloads = downloadEndpoints
        let (reader, sessions) = (downloads.reader, downloads.sessions)
        let (targets, sealer) = (downloads.targets, downloads.sealer)
        let (answers, builder) = (downloads.answers, downloads.builder)
        let runner = ForecastRunner(reads: store.downloads.forecastReads, worker: worker, now: now)
        return [
            downloads,
            UploadEndpoints(
                downloads, contents: store.downloads.contents, access: uploads),
            UploadContentEndpoints(
                uploads: Uploads(store.downloads), access: uploads, peerKeys: content.peerKeys,
                now: now, staged: worker.hint, end: downloads.endUpload),
            contentEndpoints(reader),
            EventEndpoints(reader: reader),
            SessionEndpoints(
                lookup: sessions, targets: targets, sealer: sealer, answers: answers,
                defaults: settings.defaults, worker: worker),
            SourceEndpoints(
                sources: store.downloads.sources,
                looks: LookBuilder(
                    builder: builder, secrets: secrets, makeIdentifier: makeIdentifier),
                downloads: downloads, zone: zone, leastInterval: settings.sourceMinInterval),
            TriggerEndpoints(self),
            WakeEndpoints(wakes: store.downloads.wakes, settings: settings, worker: worker),
            PolicyEndpoints(
                policies: store.policies, limits: settings.limits, bandwidth: settings.bandwidth,
                zone: zone, worker: worker, downloads: store.downloads,
                sessions: store.sessions, answers: answers, builder: builder, runner: runner),
            ForecastEndpoints(
                runner: runner, downloads: store.downloads, sessions: store.sessions,
                answers: answers, worker: worker),
            ScheduleEndpoints(zone: zone, leastInterval: settings.sourceMinInterval),
            ConditionEndpoints(conditions: store.conditions, worker: worker),
            WebhookEndpoints(self, targets: targets),
            OverviewEndpoints(
                board: OverviewBoard(downloads: store.downloads, worker: worker, now: now)),
            KeyEndpoints(
                auth: settings.hosts.auth, sessions: store.sessions, keys: store.downloads.keys,
                changed: keyChanged),
            OperatorEndpoints(
                version: settings.version, auth: settings.hosts.auth,
                metricsNeedKey: settings.metricsNeedKey, readiness: readiness,
                requestTimes: requestTimes, compressor: compressor, metrics: metrics),
            PageEndpoints(version: settings.version, showsPage: settings.showsPage),
            PageFileEndpoints(isOn: settings.showsPage),
        ]
    }

    /// The endpoints of content.
    func contentEndpoints(_ reader: DownloadReader) -> ContentEndpoints {
        ContentEndpoints(
            reader: reader, content: content, secrets: secrets,
            publicURL: settings.publicURL?.text ?? "", now: now, delivered: worker.delivered)
    }

    /// The endpoints of downloads.
    var downloadEndpoints: DownloadEndpoints {
        let reader = DownloadReader(
            downloads: store.downloads, changes: store.changes, isDraining: worker.isDraining)
        let sessions = SessionLookup(sessions: store.sessions)
        let targets = TargetRules(
            downloads: settings.destinations, webhooks: settings.webhookDestinations,
            uploads: settings.uploadDestinations, proxies: settings.proxyDestinations)
        let sealer = RequestSealer(secrets: secrets, targets: targets, reader: reader)
        let answers = DownloadAnswers(worker: worker, now: now)
        let builder = DownloadBuilder(
            targets: targets, sessions: sessions, sealer: sealer,
            folders: FolderRule(folders: settings.folders, sessions: store.sessions),
            defaults: settings.defaults)
        return DownloadEndpoints(
            reader: reader, answers: answers, sealer: sealer, targets: targets,
            sessions: sessions, intake: store.intake, worker: worker, content: content,
            builder: builder, makeIdentifier: makeIdentifier)
    }
}
