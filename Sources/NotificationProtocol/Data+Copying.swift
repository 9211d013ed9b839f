package import Foundation

extension Data {
    /// Makes data of bytes, for targets that do not import Foundation: what they append to data is
    /// copied byte by byte.
    package init(copying bytes: [UInt8]) { self.init(bytes) }
}
