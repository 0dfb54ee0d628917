// The screens of `lull`, `lull status`, `lull top` and `lull get -i` as a terminal shows them.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct ScreenTests {
        /// A terminal of 80 columns and 24 lines with a shell, whose screen can be read.
        private struct Screen {
            let socket: String
            let world: World

            init(in world: World) async throws {
                socket = world.scratch.file("tmux")
                self.world = world
                let shell =
                    "cd \(world.scratch.path) && PS1='$ ' PATH=\(try Self.folder()):$PATH "
                    + "TERM=screen LANG=C.UTF-8 TZ=UTC LULL_SERVER=\(world.lull.base) "
                    + "exec bash --norc --noprofile"
                // The server of tmux stays: it must not keep the descriptors open by which the end
                // of a child process is seen.
                let script = """
                    for fd in /proc/self/fd/*; do
                        fd=${fd##*/}; [ "$fd" -le 2 ] || eval "exec $fd>&-"
                    done
                    exec env -u TMUX tmux -u -f /dev/null -S "$0" "$@" >/dev/null 2>&1 </dev/null
                    """
                let words = ["new-session", "-d", "-x", "80", "-y", "24", shell]
                let started = try await ChildProcess.run("bash", ["-c", script, socket] + words)
                try #require(started.status == 0)
            }

            private static func folder() throws -> String {
                URL(filePath: try Repository.lull()).deletingLastPathComponent().path
            }

            @discardableResult func tmux(_ words: [String]) async throws -> String {
                try await ChildProcess.run(
                    "env", ["-u", "TMUX", "tmux", "-u", "-f", "/dev/null", "-S", socket] + words
                ).output
            }

            func type(_ text: String, enter: Bool = true) async throws {
                try await tmux(["send-keys", "-l", text])
                if enter { try await tmux(["send-keys", "Enter"]) }
            }

            /// The lines of the screen once one of them matches.
            func lines(_ what: String, _ isWanted: (String) -> Bool) async throws -> [String] {
                try await eventually("the screen with \(what)") {
                    let lines = try await tmux(["capture-pane", "-p"]).split(
                        separator: "\n", omittingEmptySubsequences: false
                    ).map(String.init)
                    return lines.contains(where: isWanted) ? lines : nil
                }
            }

            func close() async throws { try await tmux(["kill-server"]) }
        }

        /// A line without figures, which differ between runs.
        private static func shape(_ line: String) -> String {
            line.replacing(#/dl_[0-9A-Z]{26}/#, with: "ID").replacing(#/[█░]+/#, with: "BAR")
                .replacing(#/127\.0\.0\.1:\d+/#, with: "HOST")
                .replacing(#/\d+(\.\d)? (kB|MB|GB|TB|B)(\/s)?/#, with: "SIZE")
                .replacing(#/\d+ %/#, with: "N %").replacing(#/  +/#, with: "  ")
                .replacing(#/  \d+:\d\d$/#, with: "")
                .replacing(#/(today|tomorrow) \d\d:\d\d UTC \(in .*?\)/#, with: "TIME")
        }

        @Test(.timeLimit(.minutes(5)))
        func theQueueIsShownAsItIs() async throws {
            try await World.with(originBytesPerSecond: 30_000) { world in
                _ = try await world.origin.makeFile("large.iso", length: 3_000_000)
                let base = world.origin.base
                _ = try await TerminalTests.done(["add", "\(base)/large.iso"], in: world)
                _ = try await TerminalTests.done(
                    ["add", "\(base)/later.iso", "--after", "+3h"], in: world)
                try await eventually("a running download") {
                    let list = try await TerminalTests.done(["list"], in: world)
                    return list.contains("running") ? () : nil
                }
                let status = try await TerminalTests.run(["status"], in: world)
                #expect(status.status == 0, "\(status.errors)")
                #expect(status.output.contains("1 running, 1 waiting"), "\(status.output)")
                let alone = try await TerminalTests.done([], in: world)
                #expect(alone.split(separator: "\n").count <= 15 && alone.contains("lull get URL"))
                let once = try await TerminalTests.done(["top"], in: world)
                #expect(once.contains("large.iso") && !once.contains("\u{1b}"), "\(once)")
                let screen = try await Screen(in: world)
                try await screen.type("lull top")
                _ = try await screen.lines("the progress") {
                    $0.contains("large.iso") && $0.contains("%")
                }
                let top = try await screen.lines("both downloads") {
                    $0.contains("later.iso") && $0.contains("waiting")
                }
                #expect(top[0].hasPrefix("Lull at \(world.lull.base): 1 running, 1 waiting"))
                #expect(Self.shape(top[2]).hasPrefix("> large.iso  BAR  N %"), "\(top[2])")
                #expect(
                    Self.shape(top[3]).hasPrefix("  later.iso  waiting: earliest begin date"),
                    "\(top[3])")
                #expect(top[23] == "q ends")
                try await screen.type("q", enter: false)
                let after = try await screen.lines("the prompt") { $0 == "$" || $0 == "$ " }
                #expect(!after.contains { $0.contains("q ends") }, "the screen is as it was")
                try await screen.type("clear; lull get \(base)/large.iso?2 -d x")
                _ = try await screen.lines("a bar") { $0.contains("large.iso") && $0.contains("%") }
                try await screen.tmux(["send-keys", "C-c"])
                try await screen.type("echo status $?")
                let ended = try await screen.lines("the status") { $0 == "status 130" }
                let note = try #require(ended.first { $0.contains("stays at the service") })
                #expect(Self.shape(note).hasPrefix("ID stays at the service"), "\(note)")
                try await screen.close()
            }
        }
    }
}
