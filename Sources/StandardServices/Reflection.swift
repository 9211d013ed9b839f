// The standard reflection service, so that tools such as grpcurl can list and call the methods of a
// running server. By hand, because gRPC C++ 1.51's own adds a synchronous service to the server,
// knows only v1alpha, and lists only services that are registered with it.

public import BelfryGRPC
internal import SwiftProtobuf

// The messages of v1. Those of v1alpha are the same on the wire.
private typealias Request = Grpc_Reflection_V1_ServerReflectionRequest
private typealias Response = Grpc_Reflection_V1_ServerReflectionResponse

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
            bidirectional("/\(package).ServerReflection/ServerReflectionInfo", role: nil) {
                ReflectionStream($0, index: index)
            }
        }
    }
}

/// One `ServerReflectionInfo` stream: an answer for each request, in order, one at a time.
final class ReflectionStream: ServerStreamDelegate {
    /// Bytes of a request: several times what the longest name and host need.
    private static let byteLimit = 4_096

    private let stream: ServerStream
    private let index: DescriptorIndex

    init(_ stream: ServerStream, index: DescriptorIndex) {
        self.stream = stream
        self.index = index
    }

    func received(_ message: RawSpan) {
        // The next request is read when this answer is on its way, so that one send is outstanding.
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
    /// Answers a request.
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

    /// Answers with a file and all that it needs, or with an error.
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
