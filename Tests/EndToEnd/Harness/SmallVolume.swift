// A data directory on a volume that a test can fill.
import Testing

extension Trait where Self == ConditionTrait {
    /// The test runs only where this process may mount a volume.
    static var mountsVolumes: Self {
        .enabled("mounting takes root and a mount namespace") { await SmallVolume.isPossible() }
    }
}

/// The volume of 24 MiB with the content of a world's replica, as the program sees it.
struct SmallVolume {
    private let path: String

    /// The volume of a world that was made with the wrapper.
    init(_ world: World) async throws {
        let process = try #require(await world.lull.identifier)
        path = "/proc/\(process)/root" + world.scratch.file("data/content")
    }

    /// The command by which the program gets a mount namespace of its own, with a tmpfs as its
    /// content directory.
    static func wrapper(_ scratch: Scratch) -> [String] {
        let content = scratch.file("data/content")
        let script =
            "mkdir -p '\(content)' && mount -t tmpfs -o size=24m,mode=700 none '\(content)' "
            + "&& exec \"$0\" \"$@\""
        return ["unshare", "-m", "sh", "-c", script]
    }

    /// Whether this process may mount.
    static func isPossible() async -> Bool {
        do {
            let result = try await ChildProcess.run(
                "unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"])
            return result.status == 0
        } catch {
            return false
        }
    }

    /// The free bytes.
    func free() async throws -> Int {
        let output = try await ChildProcess.run("stat", ["-f", "-c", "%a %S", path]).output
        let numbers = output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(numbers.count == 2, "\(output)")
        return numbers[0] * numbers[1]
    }

    /// The parts of files, with their lengths.
    func parts() async throws -> [Int] {
        let found = try await ChildProcess.run(
            "find", [path, "-name", "*.part", "-printf", "%s\\n"])
        return found.output.split(separator: "\n").compactMap { Int($0) }
    }

    /// Takes all free bytes except some.
    func fill(leaving rest: Int) async throws {
        let script =
            "free=$(($(stat -f -c %a '\(path)') * $(stat -f -c %S '\(path)'))); "
            + "head -c $((free - \(rest))) /dev/zero > '\(path)/filler' || true"
        _ = try await ChildProcess.run("sh", ["-c", script])
    }

    /// Makes room again.
    func clear() async throws { _ = try await ChildProcess.run("rm", [path + "/filler"]) }
}
