package import Core
internal import Crypto
internal import HTTPWire
internal import Store

/// A limit in bytes a second that a client changed; nil takes it away.
package enum RateChange: Sendable, Equatable {
    /// Of a session, by its key.
    case session(Int64, Int64?)
    /// Of a download.
    case download(Identifier, Int64?)
}
