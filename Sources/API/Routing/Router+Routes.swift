// The table of routes: openapi.yaml has the same lines, and a test holds both against each other.

extension Router {
    /// The same lines, arranged for looking up.
    static let table = RouteTable(routes)

    /// Every path that is answered; anything else is not found.
    static let routes: [Route] = [
        Route("GET", "/livez", "getLiveness", .now(Router.live)),
        Route(
            "POST", "/v1/downloads", "createDownload", query: ["dry_run"], keepsKey: true,
            .later(Router.createDownload)),
        Route(
            "POST", "/v1/downloads/batch", "createDownloads", query: ["session", "dry_run"],
            types: [MediaType.json, MediaType.uriList], keepsKey: true, isLong: true,
            .later(Router.createDownloads)),
        Route(
            "GET", "/v1/downloads", "listDownloads", query: ListFilter.parameters,
            .later(Router.listDownloads)),
        Route(
            "POST", "/v1/downloads/bulk", "actOnDownloads", query: ["dry_run"],
            isLong: true, .later(Router.actOnDownloads)),
        Route(
            "GET", "/v1/downloads/{id}", "getDownload", query: ["wait"],
            .later(Router.getDownload)),
        Route("PATCH", "/v1/downloads/{id}", "changeDownload", .later(Router.changeDownload)),
        Route("DELETE", "/v1/downloads/{id}", "deleteDownload", .later(Router.deleteDownload)),
        Route(
            "POST", "/v1/downloads/{id}/suspend", "suspendDownload",
            .later(Router.suspendDownload)),
        Route(
            "POST", "/v1/downloads/{id}/resume", "resumeDownload", .later(Router.resumeDownload)),
        Route(
            "POST", "/v1/downloads/{id}/cancel", "cancelDownload", .later(Router.cancelDownload)),
        Route("POST", "/v1/downloads/{id}/retry", "retryDownload", .later(Router.retryDownload)),
        Route("GET", "/v1/downloads/{id}/attempts", "listAttempts", .later(Router.listAttempts)),
        Route(
            "GET", "/v1/downloads/{id}/content", "getContent", .later(Router.getContent)),
        Route(
            "DELETE", "/v1/downloads/{id}/content", "releaseContent",
            .later(Router.releaseContent)),
        Route("HEAD", "/v1/downloads/{id}/content", "headContent", .later(Router.getContent)),
        Route(
            "GET", "/v1/downloads/{id}/events", "listDownloadEvents",
            query: EventRequest.parameters,
            .later(Router.listDownloadEvents)),
        Route(
            "GET", "/v1/events", "listEvents", query: EventRequest.parameters + ["session"],
            .later(Router.listEvents)),
        Route("GET", "/v1/sessions", "listSessions", .later(Router.listSessions)),
        Route("GET", "/v1/sessions/{identifier}", "getSession", .later(Router.getSession)),
        Route("PUT", "/v1/sessions/{identifier}", "putSession", .later(Router.putSession)),
        Route("GET", "/v1/policy", "getPolicy", .later(Router.getPolicy)),
        Route("PUT", "/v1/policy", "putPolicy", .later(Router.putPolicy)),
        Route("GET", "/v1/webhook_endpoints", "listWebhookEndpoints", .later(Router.listReceivers)),
        Route(
            "GET", "/v1/webhook_endpoints/default/secret", "getWebhookSecret",
            .later(Router.webhookSecret)),
        Route("GET", "/readyz", "getReadiness", .later(Router.ready)),
        Route("GET", "/metrics", "getMetrics", .now(Router.metrics)),
        Route("GET", "/version", "getVersion", .now(Router.version)),
        Route("GET", "/openapi.yaml", "getDescription", .now(Router.description)),
        Route("GET", "/problems/{slug}", "getProblemPage", .now(Router.problemPage)),
        Route("GET", "/", "getIndex", .now(Router.index)),
    ]
}
