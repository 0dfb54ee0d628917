// The command line: exit statuses, streams and messages.
import Foundation
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct CommandTests {
        /// A command line and its expected outcome.
        struct Case: Sendable, CustomTestStringConvertible {
            let words: [String]
            var settings: [String: String] = [:]
            let status: Int32
            /// The text that standard output must contain; it must be empty if this is nil.
            var output: String?
            /// The text that standard error must contain; it must be empty if this is nil.
            var errors: String?

            var testDescription: String { words.joined(separator: " ") }

            init(
                _ line: String, _ status: Int32, given settings: [String: String] = [:],
                out: String? = nil, err: String? = nil
            ) {
                words = line.split(separator: " ").map(String.init)
                self.settings = settings
                self.status = status
                output = out
                errors = err
            }
        }

        private static let commands = [
            "serve", "migrate", "keys create", "keys list", "keys revoke", "keys limit",
            "policy check", "healthcheck", "check-config", "doctor", "verify-webhook", "openapi",
            "version",
            "help", "man", "completion", "get", "add", "list", "link", "watch", "sessions",
            "sessions set",
        ]

        static var helps: [Case] {
            var cases = ["", "--help", "-h", "help"].map { Case($0, 0, out: "usage: lull COMMAND") }
            for command in commands {
                let usage = "usage: lull \(command)"
                cases.append(Case("\(command) --help", 0, out: usage))
                cases.append(Case("\(command) -h", 0, out: usage))
                cases.append(Case("help \(command)", 0, out: usage))
            }
            return cases + versions
        }

        private static let versions: [Case] = [
            Case("keys --help", 0, out: "usage: lull keys COMMAND"),
            Case("help keys", 0, out: "keys revoke"),
            Case("serve --listen nonsense --help", 0, out: "usage: lull serve"),
            Case("--version", 0, out: "lull 0."), Case("-V", 0, out: "lull 0."),
            Case("version", 0, out: "lull 0."), Case("serve -V", 0, out: "lull 0."),
            Case("openapi", 0, out: "openapi: 3.1.0"),
            // Help and version read no settings.
            Case("--help", 0, given: ["LULL_NONSENSE": "1"], out: "usage"),
            Case("version", 0, given: ["LULL_LISTEN": "nonsense"], out: "lull 0."),
        ]

        static let misuses: [Case] = [
            Case("serv", 2, err: "did you mean serve?"),
            Case("chek-config", 2, err: "did you mean check-config?"),
            Case("xyzzyplugh", 2, err: "xyzzyplugh is not a command; see lull --help"),
            Case("help serv", 2, err: "did you mean serve?"),
            Case("--listen 127.0.0.1:0", 2, err: "lull serve"),
            Case("keys", 2, err: "create, list, revoke, limit"),
            Case("keys --app a", 2, err: "create, list, revoke, limit"),
            Case("keys creat", 2, err: "did you mean create?"),
            Case("keys create", 2, err: "needs --app"),
            Case("keys create --app", 2, err: "--app needs a value"),
            Case("keys create --app=", 2, err: "--app needs a value"),
            Case("keys create --ap a", 2, err: "did you mean --app?"),
            Case("keys create --app a --app b", 2, err: "--app is given more than once"),
            Case("keys create --app a --scope content:reed", 2, err: "did you mean content:read?"),
            Case("keys create --app a b", 2, err: "takes no \"b\""),
            Case("keys revoke", 2, err: "needs ID"),
            Case("keys revoke three", 2, err: "the number that lull keys list shows"),
            Case("keys revoke 1 2", 2, err: "takes no \"2\""),
            Case("keys list all", 2, err: "takes no \"all\""),
            Case("keys limit --queued 1", 2, err: "needs --app"),
            Case("keys limit --app a --queued -1", 2, err: "0 or more"),
            Case("keys limit --app a --queued 1.5", 2, err: "0 or more"),
            Case("keys limit --app a --requests-per-second 0", 2, err: "above 0"),
            Case("keys limit --app a --requests-per-second nan", 2, err: "above 0"),
            Case("verify-webhook", 2, err: "needs --secret-file"),
            Case("verify-webhook --secret-file a --headers b", 2, err: "needs --body"),
            Case("serve now", 2, err: "takes no \"now\""),
            Case("serve --listn 1", 2, err: "did you mean --listen?"),
            Case("serve --listen", 2, err: "--listen needs a value"),
            Case("serve --listen --data-dir", 2, err: "--listen needs a value"),
            Case("serve -x", 2, err: "lull serve does not have the flag -x"),
            Case("migrate --connect", 2, err: "does not have the flag --connect"),
            Case("check-config --conect", 2, err: "did you mean --connect?"),
            Case("check-config --connect=yes", 2, err: "takes no value"),
            Case("healthcheck 1", 2, err: "takes no \"1\""),
            Case("policy check", 2, err: "needs FILE"),
            Case("policy chek x", 2, err: "did you mean check?"),
            Case("policy check /nowhere/policy.json", 1, err: "cannot be read"),
            Case("policy check --over a.json b.json", 1, err: "--over needs --app"),
            Case("man lull", 2, err: "PAGE is commands or settings"),
            Case("completion csh", 2, err: "SHELL is one of bash, zsh, fish"),
            Case("get", 2, err: "needs a URL, the ID of a download, or a list with --input"),
            Case("get u --listen x", 2, err: "lull get does not have the flag"),
            Case("add", 2, err: "needs a URL, or a list with --input"),
            Case("cancel", 2, err: "needs an ID, or a filter such as --state"),
            Case("openapi --listen 127.0.0.1:1", 2, err: "lull openapi does not have"),
        ]

        @Test(.timeLimit(.minutes(2)), arguments: helps + misuses)
        func commandsHaveTheirStatusAndStream(_ given: Case) async throws {
            let scratch = try Scratch()
            let run = try await CommandRun.of(given.words, settings: given.settings, in: scratch)
            #expect(run.status == given.status, "\(run.errors)")
            Self.expect(run.output, given.output)
            Self.expect(run.errors, given.errors)
            #expect(CommandRun.internalWords(in: run.errors) == [])
            // A refused command line changes nothing.
            #expect(!FileManager.default.fileExists(atPath: scratch.file(".lull")))
            try scratch.remove()
        }

        private static func expect(_ text: String, _ words: String?) {
            guard let words else {
                #expect(text == "")
                return
            }
            #expect(text.contains(words), "\(text)")
        }

        /// Invalid settings, each with words of the refusal.
        static let refused: [(settings: [String: String], words: String)] = [
            (["LULL_LISTN": "127.0.0.1:1"], "did you mean LULL_LISTEN?"),
            (["LULL_LISTEN": "here"], "LULL_LISTEN"),
            (["LULL_LISTEN": "unix:/nowhere/lull.sock"], "there is no directory /nowhere"),
            (["LULL_LISTEN": "unix:FILE"], "exists and is not a socket"),
            (["LULL_LISTEN": "0.0.0.0:0", "LULL_AUTH": "none"], "LULL_AUTH"),
            (["LULL_CORS_ORIGINS": "*"], "LULL_CORS_ORIGINS: \"*\": name each origin"),
            (["LULL_CORS_ORIGINS": "https://a.example/"], "is not an origin as browsers send it"),
            (["LULL_PUBLIC_URL": "https://a.example/x/../y"], "LULL_PUBLIC_URL"),
            (["LULL_AUTH": "maybe"], "LULL_AUTH: must be one of keys, none"),
            (["LULL_DATABASE_URL": "mysql://127.0.0.1/lull"], "LULL_DATABASE_URL: must be a URL"),
            (["LULL_DATABASE_URL": "lull"], "LULL_DATABASE_URL: must be a URL"),
            (["LULL_DATABASE_URL": "postgres://a@b:99999/c"], "LULL_DATABASE_URL"),
            (["LULL_DATABASE_URL": "postgres://a:hunter2@[b/c"], "LULL_DATABASE_URL"),
            (["LULL_DATABASE_URL": "postgres://a:hunter2@b/c?sslmod=x"], "libpq knows host"),
            (["LULL_DATABASE_URL": "password=hunter2 nonsense"], "LULL_DATABASE_URL"),
            (["LULL_DATABASE_URL_FILE": "/nowhere/url"], "LULL_DATABASE_URL_FILE"),
            (["LULL_DATA_DIR": "FILE"], "LULL_DATA_DIR"),
            (["LULL_DATA_DIR": "FILE/below"], "LULL_DATA_DIR"),
            (["LULL_DATA_DIR": "DAMAGED"], "the file instance in the data directory is damaged"),
            (["LULL_WEBHOOK_SECRET": "whsec_short"], "LULL_WEBHOOK_SECRET"),
            (["LULL_CA_FILE": "/nowhere/ca.pem"], "LULL_CA_FILE"),
            (["LULL_CA_FILE": "FILE"], "LULL_CA_FILE"),
            (["LULL_ENCRYPTION_KEY_FILE": "/nowhere/key"], "LULL_ENCRYPTION_KEY_FILE"),
            (["LULL_ENCRYPTION_KEY_FILE": "FILE"], "LULL_ENCRYPTION_KEY_FILE"),
            (["LULL_MAX_RUNNING": "0"], "LULL_MAX_RUNNING"), (["LULL_LEASE": "1s"], "LULL_LEASE"),
            (["LULL_DATABASE_TIMEOUT": "25s"], "five sixths of LULL_LEASE, 25s"),
            (["LULL_LEASE": "12s"], "LULL_DATABASE_TIMEOUT: must be less than"),
            (["LULL_DATABASE_TIMEOUT": "1ms"], "LULL_DATABASE_TIMEOUT: must be at least 100ms"),
            (["LULL_RETRY_BASE": "2h", "LULL_RETRY_CAP": "1h"], "LULL_RETRY_CAP"),
            (["LULL_BANDWIDTH": "fast"], "LULL_BANDWIDTH"),
            (["LULL_DOWNLOAD_DESTINATIONS": "10.0.0.0/99"], "LULL_DOWNLOAD_DESTINATIONS"),
            (["LULL_LOG_LEVEL": "loud"], "LULL_LOG_LEVEL"),
        ]

        @Test(.timeLimit(.minutes(2)), arguments: refused)
        func checkConfigRefusesWhatServeRefuses(
            _ given: (settings: [String: String], words: String)
        ) async throws {
            let scratch = try Scratch()
            try scratch.write("no key and no certificate\n", to: "file")
            let damaged = try scratch.folder("damaged")
            try scratch.write("not a name\n", to: "damaged/instance")
            let settings = given.settings.mapValues {
                $0.replacing("FILE", with: scratch.file("file")).replacing("DAMAGED", with: damaged)
            }
            var said: Set<String> = []
            for command in ["serve", "check-config", "check-config --connect", "migrate"] {
                let run = try await CommandRun.of(
                    command.split(separator: " ").map(String.init), settings: settings,
                    in: scratch)
                #expect(run.status == 2, "\(command)")
                #expect(run.output == "")
                said.insert(run.errors)
            }
            let words = try #require(said.first)
            #expect(said.count == 1, "\(said)")
            #expect(words.hasPrefix("lull: ") && words.contains(given.words), "\(words)")
            #expect(!words.contains("hunter2"))
            #expect(CommandRun.internalWords(in: words) == [])
            #expect(!FileManager.default.fileExists(atPath: scratch.file(".lull")))
            try scratch.remove()
        }

        /// A call of each service command that gets as far as reading its settings.
        private static let serviceCalls = [
            "serve": "serve", "migrate": "migrate", "keys create": "keys create --app a",
            "keys list": "keys list", "keys revoke": "keys revoke 1",
            "keys limit": "keys limit --app a --queued 1", "replicas": "replicas",
            "replicas forget": "replicas forget 1",
            "replicas accept-loss": "replicas accept-loss 1",
            "policy check": "policy check policy.json",
            "healthcheck": "healthcheck", "check-config": "check-config --connect",
            "doctor": "doctor",
            "verify-webhook": "verify-webhook --secret-file a --headers b --body c",
        ]

        @Test(.timeLimit(.minutes(3)))
        func noCommandShowsThePasswordOfAMalformedURL() async throws {
            let scratch = try Scratch()
            try scratch.write("{}", to: "policy.json")
            let help = try await CommandRun.of(["--help"], in: scratch).output
            let group = try #require(
                help.firstRange(of: "the service on this machine\n")
                    .map { help[$0.upperBound...] })
            let names = group.split(separator: "\n", omittingEmptySubsequences: false)
                .prefix { !$0.isEmpty }
                .compactMap {
                    $0.firstMatch(of: /^[ ]{2}(\S+([ ]\S+)?)[ ]{2}/).map { String($0.1) }
                }
            #expect(Set(names) == Set(Self.serviceCalls.keys))
            for url in [
                "postgresql://lull:FIRST%zzSECOND@127.0.0.1:1/lull",
                "postgresql://lull:FIRST@SECOND@127.0.0.1:1/lull",
                "postgresql://lull:FIRST/SECOND@127.0.0.1:1/lull",
                "host=127.0.0.1 port=1 password=FIRST SECOND=1",
            ] {
                try scratch.write(url + "\n", to: "config")
                for (name, line) in Self.serviceCalls {
                    let words = line.split(separator: " ").map(String.init)
                    let runs = [
                        try await CommandRun.of(
                            words, settings: ["LULL_DATABASE_URL": url], in: scratch),
                        try await CommandRun.of(
                            words, settings: ["LULL_CONFIG_FILE": scratch.file("config")],
                            in: scratch),
                        try await CommandRun.of(words + [url], in: scratch),
                    ]
                    for run in runs {
                        let told = run.output + run.errors
                        #expect(
                            !told.contains("FIRST") && !told.contains("SECOND"), "\(name): \(told)")
                    }
                }
            }
            try scratch.remove()
        }

        @Test(.timeLimit(.minutes(2)))
        func anUnreachableDatabaseNamesTheSetting() async throws {
            let scratch = try Scratch()
            let settings = [
                "LULL_DATABASE_URL":
                    "postgresql://lull:hunter2@127.0.0.1:\(try await freePort())/x",
                "LULL_LISTEN": "127.0.0.1:\(try await freePort())",
            ]
            for command in ["migrate", "keys list", "check-config --connect"] {
                let run = try await CommandRun.of(
                    command.split(separator: " ").map(String.init), settings: settings,
                    in: scratch)
                #expect(run.status == 1, "\(command)")
                #expect(run.output == "", "\(command)")
                let words = "lull: LULL_DATABASE_URL: the database cannot be reached"
                #expect(run.errors.contains(words), "\(command): \(run.errors)")
                #expect(!run.errors.contains("hunter2"))
                #expect(CommandRun.internalWords(in: run.errors) == [], "\(command)")
            }
            let plain = try await CommandRun.of(["check-config"], settings: settings, in: scratch)
            #expect(plain.status == 0 && plain.output.contains("LULL_DATABASE_URL=********"))
            try scratch.remove()
        }

        /// The document of an app is judged over the deployment's: the rules that it adds, those
        /// without an effect beside the deployment's, and the members that only the deployment may
        /// set.
        @Test(.timeLimit(.minutes(2)))
        func policyCheckJudgesTheDocumentOfAnApp() async throws {
            let scratch = try Scratch()
            let base = """
                {"time_zone": "UTC", "windows": {"night": ["22:00-06:00"]},
                 "limits": {"per_app": {"media": 8}},
                 "rules": [{"name": "nights", "match": {"is_discretionary": true},
                            "require": ["window night"]}]}
                """
            try scratch.write(base, to: "base.json")
            let rules = #""rules": [{"name": "own", "require": ["not window night"]}]"#
            let cases: [(text: String, status: Int32, words: [String])] = [
                ("{\(rules)}", 0, ["valid: 1 rules"]),
                (
                    #"{"limits": {"per_app": 9}, \#(rules)}"#, 0,
                    ["no_effect limits.per_app ", "valid: 1 rules"]
                ),
                (#"{"shares": {"app": {"media": 2}}}"#, 1, ["error shares"]),
                (
                    #"{"rules": [{"name": "own", "require": ["window nigth"]}]}"#, 1,
                    ["error rules[0].require[0] ", "did you mean \"night\"?"]
                ),
            ]
            for (text, status, words) in cases {
                try scratch.write(text, to: "app.json")
                let run = try await CommandRun.of(
                    [
                        "policy", "check", "--app", "media", "--over", scratch.file("base.json"),
                        scratch.file("app.json"),
                    ], in: scratch)
                #expect(run.status == status, "\(text): \(run.output)")
                #expect(run.errors == "")
                for word in words { #expect(run.output.contains(word), "\(run.output)") }
            }
            // Without the deployment's document the window has no definition.
            try scratch.write("{\(rules)}", to: "app.json")
            let alone = try await CommandRun.of(
                ["policy", "check", "--app", "media", scratch.file("app.json")], in: scratch)
            #expect(alone.status == 1 && alone.output.contains("error rules[0].require[0] "))
            try scratch.remove()
        }

        @Test(.timeLimit(.minutes(2)), arguments: ["create --app a", "list", "revoke 1"])
        func keysRefusesWithoutADeployment(_ words: String) async throws {
            let scratch = try Scratch()
            let run = try await CommandRun.of(
                ["keys"] + words.split(separator: " ").map(String.init), in: scratch)
            #expect(run.status == 1 && run.output == "")
            #expect(run.errors.contains("there is no database in ./.lull: start lull serve"))
            #expect(!FileManager.default.fileExists(atPath: scratch.file(".lull")))
            try scratch.remove()
        }

        @Test(.timeLimit(.minutes(2)))
        func aTakenPortIsReportedBeforeADatabaseIsMade() async throws {
            let scratch = try Scratch()
            let port = try await freePort()
            let script = """
                import socket, time; s = socket.socket(); s.bind(('127.0.0.1', \(port)))
                s.listen(); print('taken', flush=True); time.sleep(60)
                """
            let holder = try ChildProcess(
                "/usr/bin/env", ["python3", "-c", script], environment: Environment.plain,
                log: scratch.file("holder"))
            try await eventually("a taken port") {
                try scratch.read("holder").contains("taken") ? () : nil
            }
            let settings = [
                "LULL_LISTEN": "127.0.0.1:\(port)", "LULL_DATA_DIR": scratch.file("data"),
            ]
            let run = try await CommandRun.of(["serve"], settings: settings, in: scratch)
            #expect(run.status == 1)
            #expect(
                run.errors.contains(
                    "cannot listen on 127.0.0.1:\(port): another program uses it; end it, or "
                        + "change LULL_LISTEN"))
            #expect(CommandRun.internalWords(in: run.errors) == [])
            #expect(!FileManager.default.fileExists(atPath: scratch.file("data/postgres")))
            holder.send(SIGKILL)
            _ = await holder.status()
            try scratch.remove()
        }

        @Test(.timeLimit(.minutes(3)))
        func healthcheckWorksOverEveryKindOfAddress() async throws {
            let scratch = try Scratch()
            let socket = scratch.file("lull.sock")
            let address = "127.0.0.1:\(try await freePort())"
            let lull = try await LullProcess(
                in: scratch,
                settings: ["LULL_LISTEN": "\(address),unix:\(socket)", "LULL_AUTH": "keys"])
            var settings = ["LULL_DATA_DIR": scratch.file("data")]
            for listen in [address, "unix:\(socket)", "[::]:1"] {
                settings["LULL_LISTEN"] = listen
                let none = try await CommandRun.of(["healthcheck"], settings: settings, in: scratch)
                #expect(none.status == 1 && none.output == "")
                #expect(none.errors.contains("not ready: no service can be reached at"))
                #expect(CommandRun.internalWords(in: none.errors) == [])
            }
            do {
                try await lull.start()
                #expect(try await lull.log().contains("make one with lull keys create --app NAME"))
                for listen in [address, "unix:\(socket)"] {
                    settings["LULL_LISTEN"] = listen
                    let run = try await CommandRun.of(
                        ["healthcheck"], settings: settings, in: scratch)
                    #expect(run.status == 0 && run.output == "ready\n", "\(run.errors)")
                }
                let key = try await CommandRun.of(
                    ["keys", "create", "--app", "a"], settings: settings, in: scratch)
                #expect(key.output.wholeMatch(of: #/lull_[0-9a-f]{64}\n/#) != nil, "\(key)")
                let opens = "key 1 of app a with the scopes content:read, downloads:read, "
                #expect(key.errors.contains(opens), "\(key.errors)")
                let list = try await CommandRun.of(
                    ["keys", "list", "--data-dir", scratch.file("data")], in: scratch)
                #expect(list.status == 0 && list.output.hasPrefix("1\ta\t"), "\(list.errors)")
                for (words, said) in [
                    ("keys revoke 7", "there is no valid key 7"),
                    ("keys limit --app b", "there is no app b"),
                ] {
                    let run = try await CommandRun.of(
                        words.split(separator: " ").map(String.init), settings: settings,
                        in: scratch)
                    #expect(run.status == 1 && run.errors.contains(said), "\(run.errors)")
                }
                try await aLimitThatIsNotGivenStays(settings, in: scratch)
                let check = try await CommandRun.of(
                    ["check-config", "--connect"], settings: settings, in: scratch)
                #expect(check.status == 0, "\(check.errors)")
                #expect(check.output.contains("# database: private, PostgreSQL 1"))
                let insert = try await ChildProcess.run(
                    "psql",
                    [
                        "-h", scratch.file("data/postgres/socket"), "-U", "lull", "-d", "lull",
                        "-c",
                        """
                        INSERT INTO policies (app_no, version, document)
                        VALUES (0, 1, '{"time_zone": "Nowhere/Else"}')
                        """,
                    ])
                #expect(insert.status == 0, "\(insert.output)")
                let refused = try await CommandRun.of(
                    ["check-config", "--connect"], settings: settings, in: scratch)
                let words = "lull: this version of lull cannot read the stored policy: #/time_zone"
                #expect(refused.status == 1 && refused.errors.contains(words), "\(refused.errors)")
                #expect(await lull.stop() == 0)
                let again = try await CommandRun.of(["serve"], settings: settings, in: scratch)
                #expect(again.status == 1 && again.errors.contains(words), "\(again.errors)")
            } catch {
                Issue.record(error, "lull's log ends:\n\(try await lull.logEnd())")
            }
            try await lull.sweep()
            try scratch.remove()
        }

        private func aLimitThatIsNotGivenStays(
            _ settings: [String: String], in scratch: Scratch
        ) async throws {
            for (options, said) in [
                ([], "app a: any requests a second, any queued, any running, any"),
                (["--queued", "5"], "any requests a second, 5 queued, any running"),
                (["--max-running", "2"], "5 queued, 2 running"),
                (["--staged-bytes", "2kB"], "5 queued, 2 running, 2kB of uploads"),
                (["--queued", "any"], "any queued, 2 running, 2kB of uploads"),
                ([], "any queued, 2 running, 2kB of uploads"),
            ] {
                let run = try await CommandRun.of(
                    ["keys", "limit", "--app", "a"] + options, settings: settings, in: scratch)
                #expect(run.status == 0 && run.output.contains(said), "\(run)")
            }
        }

        @Test(arguments: [
            ("lull: connectionFailed: no", 1), ("serverMissing(x)", 1), ("StoreError", 1),
            ("Error Domain=NSCocoaErrorDomain", 1), ("failure(Base.FieldErrors(list: []))", 1),
            ("Optional(3)", 1), ("LULL_LISTEN: \"a\" is not HOST:PORT", 0),
            ("URLSession and PostgreSQL are names; see lull --help (or README)", 0),
        ])
        func internalWordsAreSeen(text: String, count: Int) {
            #expect(CommandRun.internalWords(in: text).count == count, "\(text)")
        }
    }
}
