package import Foundation

extension Data {
    /// Makes data of bytes, for targets that do not import Foundation: appended to empty data there,
    /// bytes are copied one by one.
    package init(copying bytes: [UInt8]) { self.init(bytes) }
}
