// Documents of answers, and those that are refused.
internal import Testing

@testable internal import ObjectStores

@Suite struct XMLNodeTests {
    private func read(_ text: String) -> XMLNode? { XMLNode.root(of: Array(text.utf8)) }

    @Test func textsAndElementsAreRead() {
        let good = read(
            "<?xml version=\"1.0\"?>\n<s:A xmlns:s=\"u\">"
                + "<B> a &amp; &quot;<![CDATA[<b>]]>&#252;</B><C><B/></C><B>2</B></s:A>\n")
        #expect(good?.name == "A")
        #expect(good?["B"] == " a & \"<b>ü")
        #expect(good?.all("B").map(\.text) == [" a & \"<b>ü", "2"])
        #expect(good?.children[1].children == [XMLNode(name: "B")])
        #expect(good?["X"] == nil)
    }

    @Test(arguments: [
        "", "text", "<A>", "<A></B>", "<A/><B/>", "<A>&unknown;</A>", "<html><br></html>",
        "<!DOCTYPE A><A/>",
        "<!DOCTYPE A [<!ENTITY b \"c\">]><A>&b;</A>",
        "<!DOCTYPE A SYSTEM \"file:///etc/passwd\"><A/>",
    ])
    func otherTextsAreRefused(_ text: String) {
        #expect(read(text) == nil)
    }

    @Test func documentsBeyondTheBoundsAreRefused() {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(read(nested(XMLNode.depthAtMost)) != nil)
        #expect(read(nested(XMLNode.depthAtMost + 1)) == nil)
        let many = String(repeating: "<b/>", count: XMLNode.countAtMost)
        #expect(read("<a>\(many.dropLast(4))</a>") != nil)
        #expect(read("<a>\(many)</a>") == nil)
        let long = String(repeating: "x", count: XMLNode.bytesAtMost - 7)
        #expect(read("<a>\(long)</a>")?.text.utf8.count == XMLNode.bytesAtMost - 7)
        #expect(read("<a>\(long)x</a>") == nil)
    }
}
