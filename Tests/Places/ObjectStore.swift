// Values by key, as another machine would keep them: in files of its own, reached by messages that
// may be lost.
internal import Crypto
internal import Foundation

/// A store of objects. An object appears at once and whole, when its length and digest are proved.
///
/// A removal is carried out some time after it was ordered: with the message after the order.
package actor ObjectStore {
    /// A kind of message.
    package enum Message: Hashable, Sendable { case append, complete, copy, look, read, remove }

    /// The fate of one message.
    package enum Fault: Sendable {
        /// It does not arrive.
        case requestLost
        /// It is carried out, and its answer does not arrive.
        case answerLost
        /// A byte of it arrives as another one.
        case damaged
    }

    /// The failure of the caller: no answer came.
    package struct NoAnswer: Error {}

    /// The properties of an object.
    package struct Object: Sendable {
        /// The key.
        package let key: String
        /// The length in bytes.
        package let length: Int64
        /// The proved digest.
        package let sha256: String
        /// The time of the last write, in seconds since 1970.
        package let modifiedSeconds: Int64
    }

    /// The digits of a digest before the bytes of an object.
    private static let digits = 64

    private let folder: String
    private var faults: [Message: [Fault]] = [:]
    private var removals: Set<String> = []
    /// The bytes of bodies that have arrived.
    package private(set) var received: Int64 = 0

    /// Opens the store in a folder, and creates it if it is new.
    package init(folder: String) throws {
        self.folder = folder
        for part in ["objects", "uploads"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(part)", withIntermediateDirectories: true)
        }
    }

    /// Lets the next messages of a kind fail.
    package func fail(_ message: Message, _ fates: Fault...) {
        faults[message, default: []] += fates
    }

    /// The properties of an object; nil if there is none.
    package func look(_ key: String) throws(NoAnswer) -> Object? {
        try carryOut(.look) { object(key) }
    }

    /// The number of bytes of an object that have arrived before it is complete.
    package func uploaded(_ key: String) throws(NoAnswer) -> Int64 {
        try carryOut(.look) { Int64(bytes(of: upload(key))?.count ?? 0) }
    }

    /// Takes the next bytes of an object; those that do not follow the last ones are ignored.
    package func append(_ piece: [UInt8], to key: String, at offset: Int64) throws(NoAnswer) {
        let isDamaged = faults[.append]?.first.map { if case .damaged = $0 { true } else { false } }
        try carryOut(.append) {
            var all = bytes(of: upload(key)) ?? []
            guard Int64(all.count) == offset else { return }
            all += piece
            if isDamaged ?? false { all[all.count - 1] ^= 1 }
            received += Int64(piece.count)
            write(all, to: upload(key))
        }
    }

    /// Makes an object of the bytes that have arrived if they are the proved ones, and drops them
    /// if not.
    ///
    /// - Returns: whether they are.
    package func complete(
        _ key: String, length: Int64, sha256: String
    ) throws(NoAnswer) -> Bool {
        try carryOut(.complete) {
            let all = bytes(of: upload(key)) ?? []
            erase(upload(key))
            guard Int64(all.count) == length, ObjectStore.digest(of: all) == sha256 else {
                return false
            }
            write(Array(sha256.utf8) + all, to: path(key))
            return true
        }
    }

    /// The bytes of a range; nil if there is no object, or it ends before.
    package func read(_ key: String, _ range: ClosedRange<Int64>) throws(NoAnswer) -> [UInt8]? {
        try carryOut(.read) {
            guard let all = bytes(of: path(key))?.dropFirst(ObjectStore.digits),
                range.upperBound < Int64(all.count)
            else { return nil }
            let start = all.startIndex
            return Array(all[(start + Int(range.lowerBound))...(start + Int(range.upperBound))])
        }
    }

    /// Orders the removal of an object.
    ///
    /// - Returns: whether it is gone already.
    package func remove(_ key: String) throws(NoAnswer) -> Bool {
        try carryOut(.remove) {
            guard object(key) != nil else { return true }
            removals.insert(key)
            return false
        }
    }

    /// Erases an object or an upload at once.
    ///
    /// - Returns: whether it was there.
    package func erase(_ key: String, isUpload: Bool) throws(NoAnswer) -> Bool {
        try carryOut(.remove) { erase(isUpload ? upload(key) : path(key)) }
    }

    /// Gives an object another key as well, in place of an object that has it.
    ///
    /// - Returns: whether there is such an object.
    package func copy(_ key: String, to other: String) throws(NoAnswer) -> Bool {
        try carryOut(.copy) {
            guard let all = bytes(of: path(key)) else { return false }
            write(all, to: path(other))
            return true
        }
    }

    /// Gives an object another key that no object has.
    ///
    /// - Returns: whether it was done.
    package func move(_ key: String, to other: String) throws(NoAnswer) -> Bool {
        try carryOut(.copy) {
            guard object(other) == nil, let all = bytes(of: path(key)) else { return false }
            write(all, to: path(other))
            return erase(path(key))
        }
    }

    /// The objects whose keys begin like this, in the order of their keys.
    package func list(
        _ prefix: String, after last: String?, limit: Int
    ) throws(NoAnswer) -> [Object] {
        try carryOut(.look) {
            let keys = keys(in: "objects").filter { $0.hasPrefix(prefix) && $0 > last ?? "" }
            return keys.prefix(limit).compactMap { object($0) }
        }
    }

    /// The keys and lengths of bytes that are no objects yet.
    package func uploads() throws(NoAnswer) -> [Object] {
        try carryOut(.look) {
            keys(in: "uploads").map { key in
                Object(
                    key: key, length: Int64(bytes(of: upload(key))?.count ?? 0), sha256: "",
                    modifiedSeconds: modified(upload(key)))
            }
        }
    }

    /// Carries out the removals that were ordered before, then a message, unless it is lost.
    private func carryOut<Value>(
        _ message: Message, _ body: () -> Value
    ) throws(NoAnswer) -> Value {
        var fault: Fault?
        if faults[message]?.isEmpty == false { fault = faults[message]?.removeFirst() }
        if case .requestLost? = fault { throw NoAnswer() }
        for key in removals { erase(path(key)) }
        removals = []
        let value = body()
        if case .answerLost? = fault { throw NoAnswer() }
        return value
    }

    private static func digest(of bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalizeText()
    }

    private func object(_ key: String) -> Object? {
        guard let all = bytes(of: path(key)) else { return nil }
        return Object(
            key: key, length: Int64(all.count - ObjectStore.digits),
            sha256: String(decoding: all.prefix(ObjectStore.digits), as: UTF8.self),
            modifiedSeconds: modified(path(key)))
    }

    private func path(_ key: String) -> String { "\(folder)/objects/\(ObjectStore.name(key))" }

    private func upload(_ key: String) -> String { "\(folder)/uploads/\(ObjectStore.name(key))" }

    /// A key as the name of a file: without slashes.
    private static func name(_ key: String) -> String {
        key.replacingOccurrences(of: "/", with: ",")
    }

    private func keys(in part: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: "\(folder)/\(part)")?.allObjects
        return (names ?? []).compactMap { $0 as? String }
            .map { $0.replacingOccurrences(of: ",", with: "/") }.sorted()
    }

    private func bytes(of path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { [UInt8]($0) }
    }

    private func write(_ bytes: [UInt8], to path: String) {
        let isWritten = FileManager.default.createFile(atPath: path, contents: Data(bytes))
        precondition(isWritten, "the store of objects has room")
    }

    @discardableResult private func erase(_ path: String) -> Bool {
        do {
            try FileManager.default.removeItem(atPath: path)
            return true
        } catch {
            return false
        }
    }

    private func modified(_ path: String) -> Int64 {
        do {
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            return Int64((facts[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0)
        } catch {
            return 0
        }
    }
}
