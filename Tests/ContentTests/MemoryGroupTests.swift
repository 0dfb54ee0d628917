// A large file beside the memory of other programs: in a group with little memory.
import Glibc
import Platform
import Testing

@testable import Content

/// A control group of this process that bounds its memory, page cache included.
private struct MemoryGroup {
    /// The folders of both versions in which a group can be made, and the file with the bound.
    private static let kinds = [
        ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max"),
    ]

    private let parent: String
    private let path: String

    /// Makes a group, without this process; nil if that is not allowed.
    init?(bytes: Int) {
        for (parent, bound) in MemoryGroup.kinds {
            let path = "\(parent)/lull-test-\(getpid())"
            guard unsafe mkdir(path, 0o755) == 0 else { continue }
            if MemoryGroup.write("\(bytes)", to: "\(path)/\(bound)"),
                unsafe access("\(path)/cgroup.procs", W_OK) == 0
            {
                self.parent = parent
                self.path = path
                return
            }
            _ = unsafe rmdir(path)
        }
        return nil
    }

    /// Whether a group can be made.
    static func isPossible() -> Bool {
        guard let group = MemoryGroup(bytes: 64 << 20) else { return false }
        group.remove()
        return true
    }

    /// Moves this process into the group.
    func enter() -> Bool { MemoryGroup.write("\(getpid())", to: "\(path)/cgroup.procs") }

    /// Moves this process back and removes the group.
    func remove() {
        _ = MemoryGroup.write("\(getpid())", to: "\(parent)/cgroup.procs")
        _ = unsafe rmdir(path)
    }

    private static func write(_ text: String, to file: String) -> Bool {
        let number = unsafe open(file, O_WRONLY | O_CLOEXEC)
        guard number >= 0 else { return false }
        defer { close(number) }
        return unsafe Glibc.write(number, text, text.utf8.count) == text.utf8.count
    }
}

@Suite struct MemoryGroupTests {
    private static func isPossible() throws -> Bool {
        try MemoryGroup.isPossible() && DirectWriteTests.isPossible()
    }

    /// This runs in a process of its own, which the group holds: 16 MiB that were read once stay in
    /// 64 MiB of memory while a file of 256 MiB is written; through the page cache they would not.
    @Test(
        .enabled("no memory group, or no direct write, is possible here") {
            try MemoryGroupTests.isPossible()
        })
    func aLargeFileEvictsNothingFromMemory() async {
        await #expect(processExitsWith: .success) {
            let share = try MemoryGroupTests.residentBesideALargeFile(isDirect: true)
            guard share > 0.95 else { exit(3) }
        }
    }

    private static func residentBesideALargeFile(isDirect: Bool) throws -> Double {
        let place = try DirectWriteTests.place()
        let warm = "\(place.path)/warm"
        let mebibyte = [UInt8](repeating: 7, count: 1 << 20)
        let file = unsafe open(warm, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        for _ in 0..<16 {
            guard unsafe write(file, mebibyte, mebibyte.count) == mebibyte.count else { exit(2) }
        }
        guard fsync(file) == 0, posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0,
            let group = MemoryGroup(bytes: 64 << 20), group.enter()
        else { exit(2) }
        defer { group.remove() }
        var room = mebibyte
        for number in 0..<16 {
            guard unsafe pread(file, &room, room.count, number << 20) == room.count else { exit(2) }
        }
        let part = try place.store().create(name("dl_large"))
        if isDirect { part.bypassPageCache() }
        let block = MemoryBlock(capacity: 1 << 20, owner: ObjectIdentifier(part))
        _ = unsafe mebibyte.withUnsafeBytes { unsafe block.append($0) }
        for number in 0..<256 as Range<Int64> {
            try unsafe part.write(block.bytes(), at: number << 20)
        }
        try part.checkpoint()
        let share = try DirectWriteTests.resident(warm)
        close(file)
        return share
    }
}
