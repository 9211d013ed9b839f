internal import Faults
internal import NotificationCore
internal import NotificationProtocol

/// The places in the requests of an rpc that name apps and devices.
struct RequestSubjects {
    /// A way to a name in a request.
    struct Path {
        /// The numbers of the fields that lead to the name, from the request on.
        var numbers: [UInt64]
        /// Whether a request without the name is for the empty name; if not, a field of the same
        /// meaning above it counts.
        var countsWhenEmpty = true
    }

    private(set) var apps: [Path] = []
    private(set) var devices: [Path] = []

    /// The subjects of each rpc, by its path, as the contract's descriptors have them.
    ///
    /// Bounded: the paths are the contract's.
    static let all: [String: RequestSubjects] = {
        do throws(AccessRefusal) {
            return try ContractMessages(of: DescriptorSet.bytes).subjects()
        } catch {
            preconditionFailure("the descriptors of the contract cannot be read")
        }
    }()

    /// The identifiers of apps that a request has.
    ///
    /// A name that a message leaves out is empty; none are given where the rpc is about no app.
    func apps(in request: [UInt8]) throws(AccessRefusal) -> [String] {
        try names(apps, in: request)
    }

    /// The identifiers of devices that a request has, in the same way.
    func devices(in request: [UInt8]) throws(AccessRefusal) -> [String] {
        try names(devices, in: request)
    }

    private func names(_ paths: [Path], in request: [UInt8]) throws(AccessRefusal) -> [String] {
        var names: [String] = []
        for path in paths {
            let found = try Self.names(path.numbers[...], in: request[...])
            names += path.countsWhenEmpty ? found : found.filter { !$0.isEmpty }
        }
        return names.isEmpty && !paths.isEmpty ? [""] : names
    }

    /// All names at a path.
    ///
    /// Where a field comes more than once, a reader takes the last one, or merges messages: here
    /// all count, so that none is missed.
    private static func names(
        _ path: ArraySlice<UInt64>,
        in message: ArraySlice<UInt8>
    ) throws(AccessRefusal) -> [String] {
        guard let number = path.first else { return [] }
        let rest = path.dropFirst()
        var names: [String] = []
        var fields = WireFields(message)
        while let field = try fields.next() {
            guard field.number == number, case .bytes(let bytes) = field.value else { continue }
            if rest.isEmpty {
                guard let name = String(validating: bytes, as: UTF8.self) else { throw .malformed }
                if !Fault.firstAppAloneChecked.isPlanted || names.isEmpty { names.append(name) }
            } else {
                names += try Self.names(rest, in: bytes)
            }
        }
        return names.isEmpty && rest.isEmpty ? [""] : names
    }
}

/// The messages and rpcs of the contract, as far as they lead to apps and devices.
private struct ContractMessages {
    private struct Field {
        var name = ""
        var number: UInt64 = 0
        /// The full name of the message; empty for another type.
        var type = ""
    }

    /// By the full name.
    ///
    /// Bounded: the names are the contract's.
    private var messages: [String: [Field]] = [:]
    /// The full name of the request of each rpc, by the rpc's path.
    ///
    /// Bounded: the paths are the contract's.
    private var requests: [String: String] = [:]

    /// Reads a serialized `google.protobuf.FileDescriptorSet`.
    init(of descriptors: [UInt8]) throws(AccessRefusal) {
        for file in try Self.parts(1, of: descriptors[...]) {
            let package = try Self.text(2, of: file)
            for message in try Self.parts(4, of: file) {
                let name = ".\(package).\(try Self.text(1, of: message))"
                messages[name] = try Self.fields(of: message)
            }
            for service in try Self.parts(6, of: file) {
                let name = try Self.text(1, of: service)
                for method in try Self.parts(2, of: service) {
                    let path = "/\(package).\(name)/\(try Self.text(1, of: method))"
                    requests[path] = try Self.text(2, of: method)
                }
            }
        }
    }

    /// The subjects of each rpc, by its path.
    ///
    /// Bounded: the paths are the contract's.
    func subjects() -> [String: RequestSubjects] {
        requests.mapValues { type in
            RequestSubjects(
                apps: paths(to: ["app_id", "app_ids"], from: type, []),
                devices: paths(to: ["device_id", "device_ids"], from: type, [])
            )
        }
    }

    /// Gives the paths to fields of such names, also in the messages of a message.
    ///
    /// A message that contains itself is entered once. Where a message has such a field itself, the
    /// field says what the request is about, and one that is left out further down says nothing.
    private func paths(
        to names: [String],
        from type: String,
        _ above: [String]
    ) -> [RequestSubjects.Path] {
        guard let fields = messages[type], !above.contains(type) else { return [] }
        let hasOwn = fields.contains { names.contains($0.name) }
        return fields.flatMap { field -> [RequestSubjects.Path] in
            guard !names.contains(field.name) else {
                return [RequestSubjects.Path(numbers: [field.number])]
            }
            return paths(to: names, from: field.type, above + [type]).map { path in
                RequestSubjects.Path(
                    numbers: [field.number] + path.numbers,
                    countsWhenEmpty: path.countsWhenEmpty && !hasOwn
                )
            }
        }
    }

    private static func fields(of message: ArraySlice<UInt8>) throws(AccessRefusal) -> [Field] {
        var fields: [Field] = []
        for part in try parts(2, of: message) {
            var field = Field(name: try text(1, of: part), type: try text(6, of: part))
            var reader = WireFields(part)
            while let next = try reader.next() {
                if next.number == 3, case .number(let number) = next.value { field.number = number }
            }
            fields.append(field)
        }
        return fields
    }

    private static func parts(
        _ number: UInt64,
        of message: ArraySlice<UInt8>
    ) throws(AccessRefusal) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var fields = WireFields(message)
        while let field = try fields.next() {
            if field.number == number, case .bytes(let bytes) = field.value { parts.append(bytes) }
        }
        return parts
    }

    private static func text(
        _ number: UInt64,
        of message: ArraySlice<UInt8>
    ) throws(AccessRefusal) -> String {
        try parts(number, of: message).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
