internal import Foundation
internal import SwiftProtobuf

/// The declarations of a `FileDescriptorSet`, indexed for reflection.
///
/// The index is immutable.
struct DescriptorIndex: Sendable {
    private struct File {
        let bytes: Data
        let imports: [String]
    }

    private struct ExtensionKey: Hashable {
        let type: [UInt8]
        let number: Int32
    }

    /// The full names of the services, in the order of the set.
    private(set) var services: [String] = []

    private var files: [File] = []
    // Keyed by bytes, because callers send the names: hashing a hostile text by Unicode's rules is
    // slow.
    private var fileByName: [[UInt8]: Int] = [:]
    private var fileBySymbol: [[UInt8]: Int] = [:]
    private var types: Set<[UInt8]> = []
    private var fileByExtension: [ExtensionKey: Int] = [:]
    private var numbersByType: [[UInt8]: [Int32]] = [:]

    init(descriptorSet: [UInt8]) throws {
        let set = try Google_Protobuf_FileDescriptorSet(serializedBytes: descriptorSet)
        for file in set.file { add(file) }
    }

    func file(named name: String) -> Int? { fileByName[Array(name.utf8)] }

    /// The number of the file that declares a message, enum, enum value, field, oneof, service,
    /// method or extension with this full name.
    func file(containing symbol: String) -> Int? { fileBySymbol[Array(symbol.utf8)] }

    /// The number of the file that declares this extension.
    func file(extending type: String, with number: Int32) -> Int? {
        fileByExtension[ExtensionKey(type: Array(type.utf8), number: number)]
    }

    /// Whether a message type with this full name is known.
    func hasType(_ name: String) -> Bool { types.contains(Array(name.utf8)) }

    /// The numbers of the known extensions of a message type.
    func extensionNumbers(of type: String) -> [Int32] { numbersByType[Array(type.utf8)] ?? [] }

    /// The serialized files that a client needs to understand `file`: first `file` itself, then its
    /// imports.
    func filesNeeded(by file: Int) -> [Data] {
        var order = [file]
        var seen: Set = [file]
        var position = 0
        while position < order.count {
            for name in files[order[position]].imports {
                guard let imported = fileByName[Array(name.utf8)] else { continue }
                if seen.insert(imported).inserted { order.append(imported) }
            }
            position += 1
        }
        return order.map { files[$0].bytes }
    }

    // ---- Reading ----

    private mutating func add(_ file: Google_Protobuf_FileDescriptorProto) {
        let number = files.count
        files.append(File(bytes: file.encoded(), imports: file.dependency))
        fileByName[Array(file.name.utf8)] = number
        for message in file.messageType { add(message, in: file.package, file: number) }
        for declaration in file.enumType { add(declaration, in: file.package, file: number) }
        for service in file.service { add(service, in: file.package, file: number) }
        for declaration in file.extension { add(declaration, in: file.package, file: number) }
    }

    /// Records the file that declares a symbol, and gives the symbol's full name.
    @discardableResult
    private mutating func add(_ name: String, in scope: String, file: Int) -> String {
        let fullName = scope.isEmpty ? name : "\(scope).\(name)"
        fileBySymbol[Array(fullName.utf8)] = file
        return fullName
    }

    private mutating func add(
        _ message: Google_Protobuf_DescriptorProto,
        in scope: String,
        file: Int
    ) {
        let name = add(message.name, in: scope, file: file)
        types.insert(Array(name.utf8))
        for field in message.field { add(field.name, in: name, file: file) }
        for choice in message.oneofDecl { add(choice.name, in: name, file: file) }
        for inner in message.nestedType { add(inner, in: name, file: file) }
        for declaration in message.enumType { add(declaration, in: name, file: file) }
        for declaration in message.extension { add(declaration, in: name, file: file) }
    }

    private mutating func add(
        _ declaration: Google_Protobuf_EnumDescriptorProto,
        in scope: String,
        file: Int
    ) {
        add(declaration.name, in: scope, file: file)
        // Enter the values of an enum in the scope around the enum, to which they belong.
        for value in declaration.value { add(value.name, in: scope, file: file) }
    }

    private mutating func add(
        _ service: Google_Protobuf_ServiceDescriptorProto,
        in scope: String,
        file: Int
    ) {
        let name = add(service.name, in: scope, file: file)
        services.append(name)
        for method in service.method { add(method.name, in: name, file: file) }
    }

    /// Adds an extension: a field that names the message that it extends.
    private mutating func add(
        _ declaration: Google_Protobuf_FieldDescriptorProto,
        in scope: String,
        file: Int
    ) {
        add(declaration.name, in: scope, file: file)
        let type = Array(declaration.extendee.utf8.drop { $0 == UInt8(ascii: ".") })
        fileByExtension[ExtensionKey(type: type, number: declaration.number)] = file
        numbersByType[type, default: []].append(declaration.number)
    }
}
