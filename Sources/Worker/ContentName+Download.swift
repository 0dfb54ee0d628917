// The file of an attempt.
package import Content
package import Core

extension ContentName {
    /// The name of what an attempt of a download wrote.
    package init(download id: Identifier, fence: Int64) {
        self.init(id: id.hexadecimal, fence: fence)
    }

    /// The download, if the name is one of ours.
    package var download: Identifier? { Identifier(hexadecimal: id) }
}
