// The list of all stores.
internal import ObjectStores
internal import Testing

@Suite struct OpenStoresTests {
    @Test func aListWithoutStoresFindsNone() {
        #expect(OpenStores.none.find("cold", app: "backend") == nil)
    }
}
