/// What a `FileDescriptorSet` declares, indexed for reflection.
///
/// Immutable.
struct DescriptorIndex: Sendable {
    private struct File {
        var name = ""
        var bytes: [UInt8]
        var imports: [String] = []
    }

    private struct ExtensionKey: Hashable {
        let type: [UInt8]
        let number: Int64
    }

    /// Full names, in the order of the set.
    private(set) var services: [String] = []

    private var files: [File] = []
    // By the bytes of the names: those that are asked for come from outside.
    private var fileByName: [[UInt8]: Int] = [:]
    private var fileBySymbol: [[UInt8]: Int] = [:]
    private var types: Set<[UInt8]> = []
    private var fileByExtension: [ExtensionKey: Int] = [:]
    private var numbersByType: [[UInt8]: [Int64]] = [:]

    init(descriptorSet: [UInt8]) throws(ProtoError) {
        var reader = ProtoReader(descriptorSet)
        while let field = try reader.next() {
            guard field.number == 1, let file = field.message else { continue }
            try add(file, bytes: Array(field.data))
        }
    }

    /// The number of the file with this name.
    func file(named name: String) -> Int? { fileByName[Array(name.utf8)] }

    /// The number of the file that declares a message, enum, enum value, field, oneof, service,
    /// method or extension with this full name.
    func file(containing symbol: String) -> Int? { fileBySymbol[Array(symbol.utf8)] }

    /// The number of the file that declares this extension.
    func file(extending type: String, with number: Int64) -> Int? {
        fileByExtension[ExtensionKey(type: Array(type.utf8), number: number)]
    }

    /// Whether a message type with this full name is known.
    func hasType(_ name: String) -> Bool { types.contains(Array(name.utf8)) }

    /// The numbers of the known extensions of a message type.
    func extensionNumbers(of type: String) -> [Int64] { numbersByType[Array(type.utf8)] ?? [] }

    /// The serialized files that a client needs to understand one: itself first, then its imports.
    func filesNeeded(by file: Int) -> [[UInt8]] {
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

    // ---- Reading; the numbers are those of google/protobuf/descriptor.proto ----

    private mutating func add(_ file: ProtoReader, bytes: [UInt8]) throws(ProtoError) {
        let number = files.count
        var entry = File(bytes: bytes)
        var package = ""
        // The package may come after what it qualifies, so it is looked for first.
        var names = file
        while let field = try names.next() {
            switch field.number {
            case 1: entry.name = try field.text ?? entry.name
            case 2: package = try field.text ?? package
            case 3: entry.imports.append(try field.text ?? "")
            default: continue
            }
        }
        files.append(entry)
        fileByName[Array(entry.name.utf8)] = number
        var declarations = file
        while let field = try declarations.next() {
            guard let declaration = field.message else { continue }
            switch field.number {
            case 4: try addMessage(declaration, in: package, file: number)
            case 5: try addEnum(declaration, in: package, file: number)
            case 6: try addService(declaration, in: package, file: number)
            case 7: try addExtension(declaration, in: package, file: number)
            default: continue
            }
        }
    }

    private mutating func addMessage(
        _ message: ProtoReader,
        in scope: String,
        file: Int
    ) throws(ProtoError) {
        let name = try message.qualifiedName(in: scope)
        fileBySymbol[Array(name.utf8)] = file
        types.insert(Array(name.utf8))
        var message = message
        while let field = try message.next() {
            guard let declaration = field.message else { continue }
            switch field.number {
            case 2, 8: fileBySymbol[Array(try declaration.qualifiedName(in: name).utf8)] = file
            case 3: try addMessage(declaration, in: name, file: file)
            case 4: try addEnum(declaration, in: name, file: file)
            case 6: try addExtension(declaration, in: name, file: file)
            default: continue
            }
        }
    }

    private mutating func addEnum(
        _ declaration: ProtoReader,
        in scope: String,
        file: Int
    ) throws(ProtoError) {
        fileBySymbol[Array(try declaration.qualifiedName(in: scope).utf8)] = file
        var declaration = declaration
        while let field = try declaration.next() {
            // The values of an enum are named in the scope around it.
            guard field.number == 2, let value = field.message else { continue }
            fileBySymbol[Array(try value.qualifiedName(in: scope).utf8)] = file
        }
    }

    private mutating func addService(
        _ service: ProtoReader,
        in scope: String,
        file: Int
    ) throws(ProtoError) {
        let name = try service.qualifiedName(in: scope)
        fileBySymbol[Array(name.utf8)] = file
        services.append(name)
        var service = service
        while let field = try service.next() {
            guard field.number == 2, let method = field.message else { continue }
            fileBySymbol[Array(try method.qualifiedName(in: name).utf8)] = file
        }
    }

    private mutating func addExtension(
        _ declaration: ProtoReader,
        in scope: String,
        file: Int
    ) throws(ProtoError) {
        fileBySymbol[Array(try declaration.qualifiedName(in: scope).utf8)] = file
        var (type, number) = ([UInt8](), Int64(0))
        var fields = declaration
        while let field = try fields.next() {
            if field.number == 2 {
                type = Array((try field.text ?? "").utf8.drop { $0 == UInt8(ascii: ".") })
            }
            if field.number == 3 { number = field.integer }
        }
        fileByExtension[ExtensionKey(type: type, number: number)] = file
        numbersByType[type, default: []].append(number)
    }
}

extension ProtoReader {
    /// The name of a descriptor, which is field 1 in all of them, after the scope that it is in.
    fileprivate func qualifiedName(in scope: String) throws(ProtoError) -> String {
        var reader = self
        var name = ""
        while let field = try reader.next() {
            if field.number == 1 { name = try field.text ?? name }
        }
        return scope.isEmpty ? name : "\(scope).\(name)"
    }
}
