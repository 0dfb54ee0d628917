/// Why a run is to stop; the raw value is the number in the store.
package enum RunOrder: Int16, Sendable {
    /// The client canceled the download.
    case cancel = 1
    /// The client suspended it.
    case suspend = 2
    /// The service stops; the download continues elsewhere or later.
    case release = 3
    /// The lease is lost; the outcome no longer matters here.
    case abandon = 4
    /// More urgent work has no slot; the download continues when there is one again.
    case yield = 5
}
