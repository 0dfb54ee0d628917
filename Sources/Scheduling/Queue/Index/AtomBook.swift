// The requirements of a policy as numbered atoms: a change of one costs the sets of rules that have
// it, not their lanes.
internal import Base

/// Every distinct requirement of a policy, and the state of each set of rules that lanes match (a
/// signature).
///
/// A cache of `PolicyVerdict`: an unmet hard requirement closes every lane of a signature; in all
/// other cases the verdict is asked.
struct AtomBook: Sendable {
    /// The state of a signature.
    enum Standing: Sendable {
        /// Every requirement is met.
        case open
        /// The hard requirements are met, soft ones are not: it depends on each download's time.
        case softlyClosed
        /// A hard requirement is not met.
        case closed
    }

    private struct Entry {
        var isMet: Bool
        /// The time at which it changes by itself.
        var until: Timestamp?
        /// Whether its changes are known in advance.
        var isForeseen: Bool
        /// The signatures that have it as a hard requirement; below, as a soft one.
        var hardIn: [Int] = []
        var softIn: [Int] = []
    }

    /// A set of rules, and the numbers of its unmet hard and soft requirements.
    private struct Signature {
        let rules: [PolicyRule]
        var closedHard = 0
        var closedSoft = 0
    }

    private let allRules: [PolicyRule]
    private let requirements: [Requirement]
    private let numbers: [Requirement: Int]
    /// The atoms on each condition.
    private let onCondition: [String: [Int]]
    private var entries: [Entry]
    private var places: [[Int]: Int] = [:]
    private var signatures: [Signature] = []
    /// The last version of each condition that was taken.
    private var versions: [String: Int] = [:]
    private var seenAt: Timestamp
    /// The latest instant so far: for earlier ones conditions do not tell when they change.
    private var latest: Timestamp
    /// The time at which the first atom changes by itself.
    private(set) var nextFlip: Timestamp?

    /// Creates the atoms of the situation's policy.
    init(_ situation: Situation) {
        let policy = situation.policy
        var requirements: [Requirement] = []
        var numbers: [Requirement: Int] = [:]
        var onCondition: [String: [Int]] = [:]
        allRules = policy.judgedRules
        for rule in allRules {
            for requirement in rule.requirements where numbers[requirement] == nil {
                numbers[requirement] = requirements.count
                if let name = requirement.condition {
                    onCondition[name, default: []].append(requirements.count)
                }
                requirements.append(requirement)
            }
        }
        self.requirements = requirements
        self.numbers = numbers
        self.onCondition = onCondition
        entries = requirements.map { requirement in
            let state = situation.state(of: requirement)
            return Entry(
                isMet: state.isMet, until: state.until, isForeseen: state.isForeseen)
        }
        for name in onCondition.keys { versions[name] = situation.conditions.version(of: name) }
        seenAt = situation.now
        latest = situation.now
        nextFlip = entries.compactMap(\.until).filter { $0 > situation.now }.min()
    }

    /// The number of requirements, and of signatures.
    var counts: (atoms: Int, signatures: Int) { (entries.count, signatures.count) }

    /// The signature of a set of rules, which are given by their numbers in order.
    mutating func signature(of rules: [Int]) -> Int {
        if let known = places[rules] { return known }
        var signature = Signature(rules: rules.map { allRules[$0] })
        var hard: Set<Int> = []
        var soft: Set<Int> = []
        for rule in signature.rules {
            let atoms = rule.requirements.compactMap { numbers[$0] }
            if rule.isSoft { soft.formUnion(atoms) } else { hard.formUnion(atoms) }
        }
        soft.subtract(hard)
        let number = signatures.count
        for atom in hard { entries[atom].hardIn.append(number) }
        for atom in soft { entries[atom].softIn.append(number) }
        signature.closedHard = hard.count { !entries[$0].isMet }
        signature.closedSoft = soft.count { !entries[$0].isMet }
        places[rules] = number
        signatures.append(signature)
        return number
    }

    /// Whether the end of one of its requirements is known in advance.
    func hasForeseen(_ signature: Int) -> Bool {
        signatures[signature].rules.contains { rule in
            rule.requirements.contains { requirement in
                numbers[requirement].map { entries[$0].isForeseen } ?? false
            }
        }
    }

    /// The rules of a signature.
    func rules(of signature: Int) -> [PolicyRule] { signatures[signature].rules }

    /// The state of a signature.
    func standing(of signature: Int) -> Standing {
        let found = signatures[signature]
        if found.closedHard > 0 { return .closed }
        return found.closedSoft > 0 ? .softlyClosed : .open
    }

    /// Takes another instant or other conditions of this policy.
    ///
    /// - Returns: the signatures of which a lane's verdict may be another one now.
    mutating func advance(to situation: Situation) -> Set<Int> {
        let now = situation.now
        var due: Set<Int> = []
        if now < seenAt || seenAt < latest {
            due = Set(entries.indices)
        } else if let nextFlip, nextFlip <= now {
            due = Set(entries.indices.filter { entries[$0].until.map { $0 <= now } ?? false })
        }
        for (name, atoms) in onCondition {
            let version = situation.conditions.version(of: name)
            guard versions[name] != version else { continue }
            versions[name] = version
            due.formUnion(atoms)
        }
        seenAt = now
        latest = max(latest, now)
        guard !due.isEmpty else { return [] }
        WorkMeter.add(due.count)
        var touched: Set<Int> = []
        for atom in due { take(situation.state(of: requirements[atom]), of: atom, &touched) }
        nextFlip = entries.compactMap(\.until).filter { $0 > now }.min()
        return touched
    }

    private mutating func take(_ state: AtomState, of atom: Int, _ touched: inout Set<Int>) {
        let isOtherwise = state.isMet != entries[atom].isMet
        // When a requirement will be met, and whether that is known, decides when a soft rule is
        // waived.
        if state.until != entries[atom].until || state.isForeseen != entries[atom].isForeseen
            || isOtherwise
        {
            touched.formUnion(entries[atom].softIn)
        }
        entries[atom].until = state.until
        entries[atom].isForeseen = state.isForeseen
        guard isOtherwise else { return }
        entries[atom].isMet = state.isMet
        let step = state.isMet ? -1 : 1
        WorkMeter.add(entries[atom].hardIn.count + entries[atom].softIn.count)
        for number in entries[atom].hardIn { signatures[number].closedHard += step }
        for number in entries[atom].softIn { signatures[number].closedSoft += step }
        touched.formUnion(entries[atom].hardIn)
    }
}
