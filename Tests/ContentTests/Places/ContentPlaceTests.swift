// Every place for content has all properties, and each property notices a place without it.
import Content
import Places
import Testing

@Suite struct ContentPlaceTests {
    @Test(arguments: TestedPlace.allCases, PlaceProperty.allCases)
    func everyPlaceHasTheProperty(_ kind: TestedPlace, _ property: PlaceProperty) async throws {
        let lab = try PlaceLab(kind)
        try await property.check(lab)
        #expect(lab.complaints.isEmpty)
    }

    @Test func everyPropertyHasAFault() {
        #expect(Set(PlaceFault.allCases.map(\.property)) == Set(PlaceProperty.allCases))
    }

    @Test(arguments: TestedPlace.allCases, PlaceFault.allCases)
    func aBrokenPlaceIsNoticed(_ kind: TestedPlace, _ fault: PlaceFault) async throws {
        let lab = try PlaceLab(kind) { BrokenPlace($0, fault) }
        do {
            try await fault.property.check(lab)
            #expect(!lab.complaints.isEmpty, "\(fault) is not noticed")
        } catch is PlaceError {
            // A failure that the property does not expect is a complaint too.
        }
    }
}
