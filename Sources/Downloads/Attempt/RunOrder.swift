/// An order to stop a run; the raw value is its number in the store.
package enum RunOrder: Int16, Sendable {
    /// The client canceled the download.
    case cancel = 1
    /// The client suspended it.
    case suspend = 2
    /// The service stops; the download continues elsewhere or later.
    case release = 3
    /// The lease is lost; this process no longer records the outcome.
    case abandon = 4
    /// More urgent work needs the slot; the download continues when one is free again.
    case yield = 5
}
