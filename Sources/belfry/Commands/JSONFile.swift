internal import ArgumentParser
internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

/// Reads messages of the contract from a file of JSON.
enum JSONFile {
    /// A problem of a file.
    struct Problem: Error, Equatable {
        var text: String
    }

    /// Reads a file, or standard input for "-", and parses it with `parse`.
    ///
    /// - Throws: `ExitCode` 65, after printing the problem on standard error.
    static func read<R>(_ path: String, _ parse: (Data) throws -> R) throws -> R {
        do {
            let data =
                path == "-"
                ? try FileHandle.standardInput.readToEnd() ?? Data()
                : try Data(contentsOf: URL(fileURLWithPath: path))
            return try parse(data)
        } catch {
            let problem = (error as? Problem)?.text ?? error.localizedDescription
            let line = Data("belfry: \(path): \(problem)\n".utf8)
            try? FileHandle.standardError.write(contentsOf: line)
            throw ExitReason.badData.code
        }
    }

    /// The elements of an array, or the objects on separate lines, or a single object.
    ///
    /// Each element has its place in the file, for a person, such as "requests[1]" or "line 2".
    static func elements(
        _ data: Data,
        named name: String
    ) throws -> [(json: Data, place: String)] {
        let text = String(decoding: data, as: UTF8.self)
        guard !text.allSatisfy(\.isWhitespace) else { throw Problem(text: "it is empty") }
        let isWhole = (try? JSONSerialization.jsonObject(with: data)) != nil
        guard isWhole else {
            return text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
                .enumerated()
                .filter { !$0.element.allSatisfy(\.isWhitespace) }
                .map { (Data($0.element.utf8), "line \($0.offset + 1)") }
        }
        let isArray = text.first { !$0.isWhitespace } == "["
        let object = try JSONSerialization.jsonObject(with: data)
        let elements = isArray ? object as? [Any] ?? [] : [object]
        return try elements.enumerated().map { place, element in
            let json = try JSONSerialization.data(
                withJSONObject: element,
                options: .fragmentsAllowed
            )
            return (json, "\(name)[\(place)]")
        }
    }

    /// Reads one message; `place` and `what` name it in the error when it is not valid.
    static func message<M: Message>(
        _ json: Data,
        at place: String,
        _ what: String
    ) throws -> M {
        do {
            return try M(checkedJSON: [UInt8](json))
        } catch let error as EnumNumberTooLarge {
            throw Problem(text: "\(place) is not \(what): \(error)")
        } catch let error as JSONDecodingError {
            throw Problem(text: "\(place) is not \(what): \(error)")
        } catch {
            throw Problem(text: "\(place) is not JSON")
        }
    }
}
