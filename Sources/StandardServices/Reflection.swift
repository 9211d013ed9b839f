// The standard reflection service, so that tools such as grpcurl can list and call the methods of a
// running server. It is written by hand, because the reflection service of gRPC C++ 1.51 adds a
// synchronous service to the server, supports only v1alpha, and lists only services that are
// registered with gRPC.

package import BelfryGRPC
internal import BelfryLocking
internal import SwiftProtobuf

// The messages of v1. The messages of v1alpha are the same on the wire.
private typealias Request = Grpc_Reflection_V1_ServerReflectionRequest
private typealias Response = Grpc_Reflection_V1_ServerReflectionResponse

extension Router {
    /// Registers reflection, v1 and v1alpha, for what `descriptorSet` describes.
    ///
    /// Every caller may call it.
    ///
    /// The files are read when the first stream asks for them: a start does not wait for that.
    ///
    /// - Parameter descriptorSet: Gives a serialized `google.protobuf.FileDescriptorSet` that holds
    ///   each file once, imports included, as `protoc --include_imports --descriptor_set_out`
    ///   writes it.
    /// - Precondition: Reflection is not registered, and the bytes are a valid set: they come from
    ///   the build, not from a caller.
    package mutating func addReflection(descriptorSet: @escaping @Sendable () -> [UInt8]) {
        let files = DescribedFiles(descriptorSet)
        for package in ["grpc.reflection.v1", "grpc.reflection.v1alpha"] {
            bidirectional("/\(package).ServerReflection/ServerReflectionInfo") {
                ReflectionStream($0, index: files.index())
            }
        }
    }
}

/// The files that reflection describes; their index is made once, when it is asked for.
private final class DescribedFiles: Sendable {
    private let descriptorSet: @Sendable () -> [UInt8]
    private let made = Guarded<DescriptorIndex?>(nil)

    init(_ descriptorSet: @escaping @Sendable () -> [UInt8]) {
        self.descriptorSet = descriptorSet
    }

    /// The index; the first call takes some milliseconds.
    func index() -> DescriptorIndex {
        made.withLock { made in
            if let made { return made }
            do {
                let index = try DescriptorIndex(descriptorSet: descriptorSet())
                made = index
                return index
            } catch {
                preconditionFailure("the bytes are not a FileDescriptorSet")
            }
        }
    }
}

/// One `ServerReflectionInfo` stream: one response for each request, in order.
final class ReflectionStream: ServerStreamDelegate {
    /// The size of the largest request, in bytes: several times the longest name and host.
    private static let byteLimit = 4_096

    private let stream: ServerStream
    private let index: DescriptorIndex

    init(_ stream: ServerStream, index: DescriptorIndex) {
        self.stream = stream
        self.index = index
    }

    func received(_ message: RawSpan) {
        // Pause until this response was sent, so that one send is outstanding.
        stream.pauseReading()
        guard message.byteCount <= Self.byteLimit,
            let request = try? Request(serializedBytes: message)
        else {
            return stream.finish(
                Status(
                    code: .invalidArgument,
                    message: "the request is not a ServerReflectionRequest"
                )
            )
        }
        stream.send(Response(to: request, from: index).encoded())
    }

    func sent() { stream.resumeReading() }

    func receivedEnd() { stream.finish(.ok) }

    func ended(cancelled: Bool) {}
}

extension Response {
    fileprivate init(to request: Request, from index: DescriptorIndex) {
        self.init()
        validHost = request.host
        originalRequest = request
        switch request.messageRequest {
        case .fileByFilename(let name):
            setFiles(index.file(named: name), of: index, missing: name)
        case .fileContainingSymbol(let symbol):
            setFiles(index.file(containing: symbol), of: index, missing: symbol)
        case .fileContainingExtension(let wanted):
            let (type, number) = (wanted.containingType, wanted.extensionNumber)
            setFiles(
                index.file(extending: type, with: number),
                of: index,
                missing: "extension \(number) of \(type)"
            )
        case .allExtensionNumbersOfType(let type):
            setExtensionNumbers(of: type, from: index)
        case .listServices:
            listServicesResponse.service = index.services.map { name in .with { $0.name = name } }
        case nil:
            setError(.invalidArgument, "the request asks for nothing that is known")
        }
    }

    /// Sets a file and all files that it needs, or an error.
    private mutating func setFiles(_ file: Int?, of index: DescriptorIndex, missing what: String) {
        guard let file else { return setError(.notFound, "there is no \(what)") }
        fileDescriptorResponse.fileDescriptorProto = index.filesNeeded(by: file)
    }

    private mutating func setExtensionNumbers(of type: String, from index: DescriptorIndex) {
        guard index.hasType(type) else { return setError(.notFound, "there is no type \(type)") }
        allExtensionNumbersResponse.baseTypeName = type
        allExtensionNumbersResponse.extensionNumber = index.extensionNumbers(of: type)
    }

    private mutating func setError(_ code: StatusCode, _ text: String) {
        errorResponse.errorCode = code.rawValue
        errorResponse.errorMessage = text
    }
}
