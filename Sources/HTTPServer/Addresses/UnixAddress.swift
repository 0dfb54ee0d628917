// The system's form of a path to a Unix domain socket.
internal import CPlatform
internal import Glibc

/// A `sockaddr_un`; see unix(7).
struct UnixAddress {
    private var address = sockaddr_un()

    /// Creates the address of a path of at most 107 bytes.
    init(path: String) {
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            precondition(bytes.count < room.count, "the path leaves room for its NUL")
            unsafe room.copyBytes(from: bytes)
        }
    }

    /// bind(2).
    mutating func bind(_ descriptor: Int32) -> Int32 {
        unsafe withAddress { unsafe Glibc.bind(descriptor, $0, $1) }
    }

    /// connect(2).
    mutating func connect(_ descriptor: Int32) -> Int32 {
        unsafe withAddress { unsafe Glibc.connect(descriptor, $0, $1) }
    }

    private mutating func withAddress(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
