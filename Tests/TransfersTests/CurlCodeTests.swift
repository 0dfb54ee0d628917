// Every code with which libcurl may end a transfer, and the failure that a client sees.
import Downloads
import Testing

@testable import Transfers

@Suite struct CurlCodeTests {
    /// The codes with a meaning for clients; all others are failures of the engine itself.
    private static let codes: [UInt32: FailureCode] = [
        1: .badServerResponse, 3: .unsupportedURL, 5: .cannotFindHost, 6: .cannotFindHost,
        7: .cannotConnectToHost, 8: .badServerResponse, 16: .badServerResponse,
        18: .networkConnectionLost, 22: .badServerResponse, 27: .badServerResponse,
        28: .timedOut, 33: .badServerResponse, 35: .secureConnectionFailed,
        43: .badServerResponse, 47: .tooManyRedirects, 52: .networkConnectionLost,
        55: .networkConnectionLost, 56: .networkConnectionLost, 58: .clientCertificateRejected,
        59: .secureConnectionFailed, 60: .serverCertificateUntrusted, 61: .badServerResponse,
        63: .dataLengthExceedsMaximum, 64: .secureConnectionFailed, 65: .networkConnectionLost,
        77: .secureConnectionFailed, 80: .networkConnectionLost, 82: .secureConnectionFailed,
        83: .secureConnectionFailed, 90: .secureConnectionFailed, 91: .secureConnectionFailed,
        92: .badServerResponse, 95: .badServerResponse, 97: .proxyConnectionFailed,
        98: .clientCertificateRequired,
    ]

    @Test func everyCodeHasItsFailure() {
        // libcurl 7.88 ends at 99, later ones a little above.
        for number in UInt32(1)..<150 {
            let failure = TransferFailure(curl: number, words: "w\(number)")
            let expected = Self.codes[number] ?? .resourceUnavailable
            #expect(failure.code == expected, "CURLE \(number)")
            #expect(failure.words == "curl: (\(number)) w\(number)", "CURLE \(number)")
            #expect(!failure.description.contains("resources"), "CURLE \(number)")
        }
    }

    /// If libcurl wrote no message, its general text for the code is used.
    @Test func messageIsNeverEmpty() {
        for number in [UInt32(27), 43, 56, 149] {
            let words = TransferFailure(curl: number, words: "").words ?? ""
            #expect(words.hasPrefix("curl: (\(number)) "))
            #expect(words.utf8.count > 12)
        }
        #expect(
            TransferFailure(curl: 43, words: "").words
                == "curl: (43) A libcurl function was given a bad argument")
    }

    private static let texts: [(UInt32, String, Bool, String)] = [
        (56, "error:0A00045C:SSL routines::tlsv13 alert certificate required", true, ""),
        (
            56, "error:0A000126:SSL routines::unexpected eof while reading, errno 0", false,
            "close_notify"
        ),
        (56, "Recv failure: Connection reset by peer", false, "before the body"),
        (35, "error:0A000410:SSL routines::sslv3 alert handshake failure", false, "refused"),
        (35, "error:0A000126:SSL routines::unexpected eof while reading", false, "handshake"),
    ]

    /// OpenSSL messages that libcurl reports under one code lead to different failures.
    @Test(arguments: texts)
    func openSSLMessagesMapToCodes(_ code: UInt32, _ text: String, _ isAsked: Bool, _ word: String)
    {
        let failure = TransferFailure(curl: code, words: text)
        #expect((failure.code == .clientCertificateRequired) == isAsked)
        #expect(word.isEmpty || failure.description.contains(word))
        #expect(failure.words == "curl: (\(code)) \(text)")
    }

    @Test func onlyLocalShortageIsResourceUnavailable() {
        let room = TransferFailure(.resourceUnavailable, detail: "socket: Too many open files")
        #expect(room.description.contains("resources"))
        for other in [TransferFailure.engineClosed, .engineFailed("x")] {
            #expect(other.code == .resourceUnavailable)
            #expect(!other.description.contains("resources"))
        }
    }

    /// Text that contains a resolved address or a header of the client goes to the log only.
    @Test func hidesWordsThatNameAddressesOrHeaders() {
        for code in FailureCode.allCases {
            let isKept = [.destinationNotAllowed, .badRequestHeader].contains(code)
            #expect((TransferFailure(code, detail: "x").words == nil) == isKept)
            #expect(TransferFailure(code).words == nil)
        }
    }
}
