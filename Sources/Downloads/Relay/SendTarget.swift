// The other side to which the finished file of a download is sent.

/// The receiver or the store of a file that is sent on by an attempt of its own.
package enum SendTarget: Equatable, Sendable {
    /// An HTTP server, which gets one request.
    case receiver(Relay)
    /// An object store of the operator.
    case store(FileDestination)

    /// The origin, `scheme://host:port`, in whose lane the file waits; nil for a URL that is none.
    package var origin: String? {
        switch self {
        case .receiver(let relay): relay.origin
        case .store(let destination): destination.store
        }
    }

    /// The URL by which its lane is found and which attempts show.
    package var url: String {
        switch self {
        case .receiver(let relay): relay.url
        case .store(let destination): (destination.store ?? "") + "/"
        }
    }

    /// The hook that is asked before every try; nil for none.
    package var hook: BeginHook? {
        if case .receiver(let relay) = self { relay.hook } else { nil }
    }

    /// The destination, if it is a store.
    package var store: FileDestination? {
        if case .store(let destination) = self { destination } else { nil }
    }

    /// The receiver, if it is one.
    package var receiver: Relay? {
        if case .receiver(let relay) = self { relay } else { nil }
    }
}
