// The standard reflection service, so that tools such as grpcurl can list and call the methods of a
// running server. By hand, because gRPC C++ 1.51's own adds a synchronous service to the server,
// knows only v1alpha, and lists only services that are registered with it.

extension Router {
    /// Registers reflection, v1 and v1alpha, for what `descriptorSet` describes.
    ///
    /// Open to all callers.
    ///
    /// - Parameter descriptorSet: A serialized `google.protobuf.FileDescriptorSet` that holds each
    ///   file once, imports included, as `protoc --include_imports --descriptor_set_out` writes it.
    /// - Precondition: Reflection is not registered, and the bytes are such a set: they come from
    ///   the build, not from outside.
    public mutating func addReflection(descriptorSet: [UInt8]) {
        let index: DescriptorIndex
        do {
            index = try DescriptorIndex(descriptorSet: descriptorSet)
        } catch {
            preconditionFailure("the bytes are not a FileDescriptorSet")
        }
        for package in ["grpc.reflection.v1", "grpc.reflection.v1alpha"] {
            let path = "/\(package).ServerReflection/ServerReflectionInfo"
            let handler: MessageStreamHandler = { ReflectionStream($0, index: index) }
            add(Route(path: path, role: nil, handler: .messageStream(handler)))
        }
    }
}

/// One `ServerReflectionInfo` stream: an answer for each request, in order, one at a time.
final class ReflectionStream: ServerStreamDelegate {
    private let stream: ServerStream
    private let index: DescriptorIndex

    init(_ stream: ServerStream, index: DescriptorIndex) {
        self.stream = stream
        self.index = index
    }

    func received(_ message: RawSpan) {
        // The next request is read when this answer is on its way, so that one send is outstanding.
        stream.pauseReading()
        do {
            let request = try ReflectionRequest([UInt8](message))
            stream.send(request.response(from: index))
        } catch {
            stream.finish(
                Status(
                    code: .invalidArgument,
                    message: "the request is not a ServerReflectionRequest"
                )
            )
        }
    }

    func sent() { stream.resumeReading() }

    func receivedEnd() { stream.finish(.ok) }

    func ended(cancelled: Bool) {}
}

/// A `ServerReflectionRequest`.
struct ReflectionRequest {
    private enum Question {
        case fileByName(String)
        case fileContainingSymbol(String)
        case fileContainingExtension(type: String, number: Int64)
        case extensionNumbers(ofType: String)
        case listServices
        case none
    }

    /// Bytes of a request: several times what the longest name and host need.
    private static let byteLimit = 4_096

    private let bytes: [UInt8]
    private var host = ""
    private var question = Question.none

    init(_ bytes: [UInt8]) throws(ProtoError) {
        guard bytes.count <= Self.byteLimit else { throw ProtoError() }
        self.bytes = bytes
        var reader = ProtoReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: host = try field.text ?? host
            case 3: question = try field.text.map(Question.fileByName) ?? question
            case 4: question = try field.text.map(Question.fileContainingSymbol) ?? question
            case 5:
                guard let message = field.message else { continue }
                question = try Self.fileContainingExtension(message)
            case 6: question = try field.text.map(Question.extensionNumbers) ?? question
            case 7: question = try field.text.map { _ in .listServices } ?? question
            default: continue
            }
        }
    }

    private static func fileContainingExtension(
        _ message: ProtoReader
    ) throws(ProtoError) -> Question {
        var message = message
        var (type, number) = ("", Int64(0))
        while let field = try message.next() {
            if field.number == 1 { type = try field.text ?? type }
            if field.number == 2 { number = field.integer }
        }
        return .fileContainingExtension(type: type, number: number)
    }

    /// The serialized `ServerReflectionResponse`.
    func response(from index: DescriptorIndex) -> [UInt8] {
        var writer = ProtoWriter()
        writer.string(1, host)
        writer.data(2, bytes)
        switch question {
        case .fileByName(let name):
            writer.files(index.file(named: name), of: index, missing: name)
        case .fileContainingSymbol(let symbol):
            writer.files(index.file(containing: symbol), of: index, missing: symbol)
        case .fileContainingExtension(let type, let number):
            writer.files(
                index.file(extending: type, with: number),
                of: index,
                missing: "extension \(number) of \(type)"
            )
        case .extensionNumbers(let type):
            if index.hasType(type) {
                writer.message(5) { answer in
                    answer.string(1, type)
                    for number in index.extensionNumbers(of: type) { answer.element(2, number) }
                }
            } else {
                writer.error(.notFound, "there is no type \(type)")
            }
        case .listServices:
            writer.message(6) { answer in
                for service in index.services { answer.message(1) { $0.string(1, service) } }
            }
        case .none:
            writer.error(.invalidArgument, "the request asks for nothing that is known")
        }
        return writer.bytes
    }
}

extension ProtoWriter {
    /// Writes a `FileDescriptorResponse`: the file and all that it needs, or an error.
    fileprivate mutating func files(
        _ file: Int?,
        of index: DescriptorIndex,
        missing what: String
    ) {
        guard let file else { return error(.notFound, "there is no \(what)") }
        message(4) { answer in
            for bytes in index.filesNeeded(by: file) { answer.data(1, bytes) }
        }
    }

    fileprivate mutating func error(_ code: StatusCode, _ text: String) {
        message(7) { answer in
            answer.integer(1, Int64(code.rawValue))
            answer.string(2, text)
        }
    }
}
