// Readings of a machine from the texts of /proc.
import Testing

@testable import Platform

@Suite struct MachineReadingTests {
    /// Interfaces, flags (up is 1, reject is 0x200), and whether one of the interfaces is a way
    /// out.
    @Test(
        arguments: [
            ([], false), ([("eth0", "0003")], true), ([("lo", "0001")], false),
            ([("lo", "0001"), ("wlan0", "0001")], true), ([("eth0", "0200")], false),
            ([("eth0", "0201")], false), ([("eth0", "0000")], false), ([("eth0", "zz")], false),
        ] as [([(String, String)], Bool)])
    func aRouteOfAnotherInterfaceIsAWayOut(_ routes: [(String, String)], _ isWay: Bool) {
        let v4 = routes.map { "\($0.0)\t00000000\t0100000A\t\($0.1)\t0\t0\t0\t0\t0\t0\t0\n" }
        let head = "Iface\tDestination\tGateway\tFlags\n"
        #expect(NetworkRoutes.hasV4(in: head + v4.joined()) == isWay)
        let zero = String(repeating: "0", count: 32)
        for (destination, isFar) in [("2001", true), ("fe80", false), ("ff00", false)] {
            let v6 = routes.map { name, flags in
                "\(destination + zero.dropFirst(4)) 00 \(zero) 00 \(zero) 00000400 00000000 "
                    + "00000000 0000\(flags) \(name)\n"
            }
            #expect(NetworkRoutes.hasV6(in: v6.joined()) == (isWay && isFar))
        }
    }

    @Test(arguments: [
        ("0.52 0.58 0.59 1/389 12345\n", 0.52 as Double?), ("12.00 1 1 1/1 1", 12), ("", nil),
        ("busy", nil),
    ])
    func loadIsTheFirstNumber(_ text: String, _ load: Double?) {
        #expect(MachineReading.load(in: text) == load)
    }

    @Test(
        arguments: [
            ("some avg10=1.50 avg60=0.10 avg300=0.00 total=1\nfull avg10=9.00 avg60=0\n", 0.015),
            ("full avg10=9.00\nsome avg10=100.00 avg60=1\n", 1), ("full avg10=9.00\n", nil),
            ("some avg60=1.00\n", nil), ("", nil),
        ] as [(String, Double?)])
    func pressureIsSomeOfTenSeconds(_ text: String, _ pressure: Double?) {
        #expect(MachineReading.pressure(in: text) == pressure)
    }

    @Test(
        arguments: [
            ("0::/system.slice/lull.service\n", "/system.slice/lull.service"), ("0::/\n", nil),
            ("2:cpu:/a\n0::/b\n", "/b"), ("2:cpu:/a\n", nil), ("0::/../escape\n", nil), ("", nil),
        ] as [(String, String?)])
    func theOwnGroupIsOfTheSecondVersion(_ text: String, _ path: String?) {
        #expect(MachineReading.cgroup(in: text) == path)
    }

    @Test(arguments: [
        ("Cpus_allowed:\t3\n", 2), ("Name:\tx\nCpus_allowed:\tff,00000001\n", 9),
        ("Cpus_allowed_list:\t0-1\n", 0), ("", 0),
    ])
    func coresAreTheBitsOfTheMask(_ text: String, _ cores: Int) {
        #expect(MachineReading.cores(in: text) == cores)
    }

    @Test func thisMachineIsRead() {
        #expect(MachineReading.read().load != nil && MachineReading.cores() >= 1)
    }
}
