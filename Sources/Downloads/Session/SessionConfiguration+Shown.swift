// The configuration of a session for clients, and the values that follow from it.
package import Base

extension SessionConfiguration {
    /// All members that a client may set, null if it is not set; secrets by their names.
    package var shown: JSONObject {
        var all = JSONObject()
        for (name, value) in members { all.append(name, value ?? .null) }
        let tls = shape?.tlsNames ?? []
        all.append("http_additional_headers", RequestShape.redacted(shape?.headerNames ?? []))
        all.append("tls", tls.isEmpty ? .null : RequestShape.redacted(tls))
        let webhook = shape?.webhook ?? RequestShape()
        all.append("webhook_headers", RequestShape.redacted(webhook.headerNames))
        all.append("webhook_authorization", webhook.shownAuthorization)
        if let beginHook { all["begin_hook"] = beginHook.shown(shape?.hook ?? RequestShape()) }
        if let relay { all["destination"] = relay.shown(shape?.relay ?? RequestShape()) }
        return all
    }

    /// The members whose secrets are sent nowhere, because no origin is named for them.
    package var withheld: [String] {
        guard let shape, secretOrigins?.isEmpty != false else { return [] }
        var names: [String] = []
        if shape.headerNames.contains(where: { !HeaderField($0, "").isOpen }) {
            names.append("http_additional_headers")
        }
        if shape.hasClientCertificate { names.append("tls") }
        return names
    }

    /// The values of a download of the session that sets none itself.
    package func effective(_ defaults: DeploymentDefaults) -> JSONObject {
        var filled = self
        filled.kind = kind ?? .background
        filled.isDiscretionary = isDiscretionary ?? false
        filled.allowsExpensive = allowsExpensive ?? true
        filled.allowsConstrained = allowsConstrained ?? true
        filled.waitsForConnectivity = waitsForConnectivity ?? true
        filled.sendsLaunchEvents = sendsLaunchEvents ?? true
        filled.requestTimeout = requestTimeout ?? defaults.requestTimeout
        filled.resourceTimeout = resourceTimeout ?? defaults.resourceTimeout
        filled.contentRetention = retention(contentRetention ?? defaults.contentRetention)
        filled.segments = segments ?? defaults.segments
        filled.refetchesLost = refetchesLost ?? false
        return filled.shown
    }

    /// A retention, limited for an ephemeral session; in seconds.
    func retention(_ seconds: Int64) -> Int64 {
        kind == .ephemeral ? min(seconds, SessionKind.ephemeralRetention) : seconds
    }

    /// The document for a merge patch: the members that are set, with placeholders for secrets.
    package var patchable: JSONObject {
        var object = json
        object[SessionConfiguration.shapeName] = nil
        return object
    }

    /// The events of sessions that `webhook_url` receives.
    package var eventSet: EventSet {
        guard webhookURL != nil else { return .none }
        guard let names = webhookEvents else { return .usual }
        guard case .success(let set) = EventSet.named(names) else { return .none }
        return set
    }
}
