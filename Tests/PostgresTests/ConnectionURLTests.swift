// Errors about invalid database URLs, which never quote secrets.
import Testing

@testable import Postgres

@Suite struct ConnectionURLTests {
    @Test(arguments: [
        "postgresql://", "postgres://lull@db:5432/lull", "postgresql:///lull?host=/run/postgresql",
        "postgres://a:p%40ss@[::1]:5433/b?sslmode=require", "postgres://a@b:1,c:65535/d",
        "host=db port=5432 user=lull", "dbname=lull",
    ])
    func acceptsWhatLibpqReads(url: String) {
        #expect(ConnectionOptions.complaint(about: url) == nil)
    }

    @Test(arguments: [
        "", "lull", "db.example:5432", "mysql://a:SECRET@b/c", "http://a:SECRET@b/?c=d",
        "postgres://a:SECRET@b:0/c", "postgres://a:SECRET@b:65536/c", "postgres://a:SECRET@b:x/c",
        "postgres://a:SECRET@[b/c", "postgres://a:SECRET%zz@b/c", "postgres://a:SECRET@b/c?d=e",
        "postgres://a:SECRET@b/c?sslmode", "postgres://a:SECRET@b/c?sslmode=x=y",
        "postgres://a:b@SECRET@c/d", "postgres://a:b/SECRET@c/d", "postgres://a:1/SECRET@c/d",
        "postgres://a:b?c@SECRET@c/d", "postgres://a@b,c:SECRET/d",
        "host=a password=b SECRET", "host=a password=b SECRET=c",
        "password=SECRET nonsense", "password='SECRET", "passwort=SECRET",
        "host=a port=x password=SECRET",
    ])
    func refusesOtherURLsWithoutShowingSecrets(url: String) throws {
        let complaint = try #require(ConnectionOptions.complaint(about: url))
        #expect(complaint.hasPrefix("must be a URL such as postgresql://"))
        #expect(!complaint.contains("SECRET"), "\(complaint)")
        #expect(!complaint.hasSuffix("\n"))
    }

    /// Each mark that ends a part of a URL, raw in the password.
    @Test(arguments: Array("@/?#:%&=[] ,'\"\\"))
    func noFailureToConnectShowsAPartOfAPassword(mark: Character) async {
        let password = "FIRST\(mark)SECOND"
        for text in [
            "postgresql://lull:\(password)@127.0.0.1:1/lull",
            "postgresql://lull:\(password)\(password)@127.0.0.1:1/lull",
            "postgresql://lull:\(mark)SECOND@127.0.0.1:1/lull",
            "host=127.0.0.1 port=1 user=lull password=\(password)",
            "host=127.0.0.1 port=1 user=lull password='\(password)",
        ] {
            let connection = PostgresConnection(url: text)
            let error = await #expect(throws: PostgresError.self) { try await connection.open() }
            let words = error?.description ?? ""
            #expect(!words.contains("FIRST") && !words.contains("SECOND"), "\(text): \(words)")
        }
    }

    @Test(arguments: PostgresError.Code.allCases)
    func errorsAreSentences(code: PostgresError.Code) {
        let error = PostgresError(code, "the message", sqlState: "42P01")
        let plain = code.rawValue.allSatisfy(\.isLowercase)
        #expect(plain || !error.description.contains(code.rawValue))
        #expect(error.description.contains("the message (SQLSTATE 42P01)"))
    }
}
