// When a candidate begins by all that is known: what its rules say, and what no rule says.
internal import Base

extension PolicyVerdict {
    /// The first instant at which all that is known lets its candidate begin.
    func opening(of candidate: AdmissionCandidate, in situation: Situation) -> Timestamp? {
        opening(knownOpenings(of: candidate, in: situation))
    }

    /// When what does not follow from a single requirement lets its candidate begin, from an
    /// instant on.
    func knownOpenings(
        of candidate: AdmissionCandidate, in situation: Situation
    ) -> [(Timestamp) -> Timestamp?] {
        let others = Admission.knownOpenings(candidate, in: situation)
        guard let fit = ClosingFit(candidate, self, in: situation) else { return others }
        return others + [{ fit.opening(from: $0) }]
    }
}
