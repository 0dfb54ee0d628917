package import Base
internal import Crypto
internal import HTTPWire
internal import Store

/// A limit in bytes a second that a client changed; nil removes it.
package enum RateChange: Sendable, Equatable {
    /// The limit of a session, by its number.
    case session(Int64, Int64?)
    /// The limit of a download.
    case download(Identifier, Int64?)
}
