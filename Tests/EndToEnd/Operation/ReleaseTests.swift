// Released files: one commit and one program give equal bytes, with all files that belong to a
// release.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct ReleaseTests {
        @Test(.timeLimit(.minutes(5)))
        func theSameCommitGivesTheSameBytes() async throws {
            let scratch = try Scratch()
            var sums: [String] = []
            for output in ["first", "second"] {
                let made = try await release(["--output", scratch.file(output)])
                #expect(made.status == 0, "\(made.output)")
                sums.append(try scratch.read("\(output)/SHA256SUMS"))
            }
            #expect(sums[0] == sums[1] && sums[0].split(separator: "\n").count == 3, "\(sums)")
            // The checksums are those of the files, and the tarball runs.
            let checked = try await ChildProcess.run(
                "bash",
                [
                    "-euc",
                    """
                    cd '\(scratch.file("second"))'; sha256sum --check --strict SHA256SUMS
                    tar -tvzf lull-*-linux-*.tar.gz
                    tar -xzf lull-*-linux-*.tar.gz; lull-*/bin/lull version
                    dpkg-deb --info lull_*.deb; dpkg-deb --contents lull_*.deb | cut -d / -f 2-
                    cmp lull-*/LICENSE '\(Repository.path("LICENSE"))'
                    """,
                ])
            #expect(checked.status == 0 && checked.output.contains("lull 0."), "\(checked.output)")
            let expected = [
                "/LICENSE", "/COMMIT", "/README.md", "/docker/Dockerfile", "/bin/lull",
                "Depends: libc6", "libcurl4", "libpq5", "ca-certificates", "Recommends: postgresql",
                "usr/lib/systemd/system/lull.service", "etc/lull/environment",
                "usr/share/man/man1/lull.1.gz", "usr/share/zsh/vendor-completions/_lull",
            ]
            for file in expected {
                #expect(checked.output.contains(file), "\(file) in \(checked.output)")
            }
            #expect(!checked.output.contains("root/root"), "\(checked.output)")
            try scratch.remove()
        }

        @Test(arguments: [["--outptu"], ["--output"], ["--binary"]])
        func aWrongCommandLineIsRefused(words: [String]) async throws {
            let made = try await ChildProcess.run(Repository.path("scripts/release"), words)
            #expect(made.status == 1)
        }

        private func release(_ words: [String]) async throws -> ChildProcess.Result {
            try await ChildProcess.run(
                Repository.path("scripts/release"),
                words + ["--no-image", "--binary", try Repository.lull()])
        }
    }
}
