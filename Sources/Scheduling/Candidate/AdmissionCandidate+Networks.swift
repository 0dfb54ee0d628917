// Which networks a candidate may use, and how it waits for them.
package import Downloads

extension AdmissionCandidate {
    /// Whether it waits while its network is not reached.
    package var waitsForConnectivity: Bool { !laneFlags.contains(.impatient) }

    /// Whether it waits, with others of its origin, for one that probes the origin.
    package var sharesProbe: Bool { !laneFlags.contains(oneOf: .apart) }

    /// Whether it may not use every network.
    var isKeptFromNetworks: Bool { !laneFlags.contains(.anyNetwork) }

    /// The word for the server of its lane: a file that is here goes to a receiver.
    var server: String { laneFlags.contains(.sends) ? "receiver" : "origin" }

    /// The outage of its origin that holds it back, or that it may probe.
    package var outage: Outage? { sharesProbe ? origin.outage : nil }
}
