// The name of an attempt's file.
package import Base
package import Content

extension ContentName {
    /// The name of the file that an attempt of a download wrote.
    package init(download id: Identifier, fence: Int64) {
        self.init(id: id.hexadecimal, fence: fence)
    }

    /// The download; nil if the name is not of this form.
    package var download: Identifier? { Identifier(hexadecimal: id) }
}
