// `lull verify-webhook`: whether a webhook was signed with a secret, or the reason why not.
internal import Client
internal import Platform
internal import Webhooks

/// Checks a webhook that its receiver saved.
struct VerifyWebhook {
    /// The most bytes of a body or of the header fields.
    private static let bytesAtMost = 4 << 20

    private let secretFile: String
    private let headers: String
    private let body: String

    /// Reads the names of the files.
    init(_ arguments: Arguments) {
        func file(_ option: String) -> String { arguments[option].first ?? "" }
        secretFile = file("--secret-file")
        headers = file("--headers")
        body = file("--body")
    }

    /// Prints that the webhook is genuine.
    ///
    /// - Throws: `CommandError` with the reason if it is not, or a file that cannot be read.
    func run() throws {
        let secrets = try text(secretFile).split(whereSeparator: \.isWhitespace).map(String.init)
        let delivery: SavedDelivery
        do {
            delivery = try SavedDelivery(fields: try text(headers), body: try bytes(body))
        } catch let incomplete as SavedDelivery.Incomplete {
            throw CommandError("not verified: \(incomplete)")
        }
        let check = SignatureCheck(
            delivery, secrets: secrets, now: SystemClock.wallMicroseconds() / 1_000_000)
        switch check {
        case .refused(let reason): throw CommandError("not verified: \(reason)")
        case .genuine(let age) where abs(age) > SignatureCheck.ageAtMost:
            let side = age < 0 ? "after" : "before"
            print(
                "the signature is genuine, but it was made \(abs(age)) s \(side) now; a receiver "
                    + "refuses more than \(SignatureCheck.ageAtMost) s")
        case .genuine: print("the signature is genuine")
        }
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        guard let bytes = TextFile.read(path, bytesAtMost: VerifyWebhook.bytesAtMost) else {
            throw CommandError("\(path) cannot be read, or has more than 4 MiB")
        }
        return bytes
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try bytes(path), as: UTF8.self)
    }
}
