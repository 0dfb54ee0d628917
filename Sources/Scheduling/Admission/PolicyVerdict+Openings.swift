// The instants at which a candidate may begin: by its rules, and by all that no rule says.
internal import Base

extension PolicyVerdict {
    /// The first instant at which all that is known lets its candidate begin.
    func opening(of candidate: AdmissionCandidate, in situation: Situation) -> Timestamp? {
        opening(knownOpenings(of: candidate, in: situation))
    }

    /// The openings that do not follow from a single requirement: each gives the first instant,
    /// from one on, at which it lets its candidate begin.
    func knownOpenings(
        of candidate: AdmissionCandidate, in situation: Situation
    ) -> [(Timestamp) -> Timestamp?] {
        let others = Admission.knownOpenings(candidate, in: situation)
        guard let fit = ClosingFit(candidate, self, in: situation) else { return others }
        return others + [{ fit.opening(from: $0) }]
    }
}
