internal import ArgumentParser
internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

/// Reads messages of the contract from a file of JSON.
enum JSONFile {
    struct Problem: Error, Equatable {
        var text: String
    }

    /// Reads a file, or standard input for "-", and parses it with `parse`.
    ///
    /// `isText` is whether a file that is not UTF-8 is refused before.
    ///
    /// - Throws: `ExitCode` 65, after printing the problem on standard error.
    static func read<R>(
        _ path: String,
        isText: Bool = true,
        _ parse: (Data) throws -> R
    ) throws -> R {
        do {
            let data = try InputFile.read(path)
            if isText { try checkText(data) }
            return try parse(data)
        } catch {
            let problem = (error as? Problem)?.text ?? error.reason
            let line = Data("belfry: \(path): \(problem.printable)\n".utf8)
            try? FileHandle.standardError.write(contentsOf: line)
            throw ExitReason.badData.code
        }
    }

    /// Refuses bytes that are not UTF-8, which would be read as other characters.
    static func checkText(_ data: Data) throws(Problem) {
        guard String(validating: data, as: UTF8.self) != nil else {
            throw Problem(text: "it is no text in UTF-8")
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
            try checkForLines(text)
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

    /// A document that is cut or wrong is one fault, with its line; lines have one each.
    private static func checkForLines(_ text: String) throws(Problem) {
        let lines = text.split { $0 == "\n" || $0 == "\r\n" }
        let hasObject = lines.contains { line in
            line.first { !$0.isWhitespace } == "{" && JSONFault.syntax(of: Array(line.utf8)) == nil
        }
        let isList = text.first { !$0.isWhitespace } == "["
        guard isList || !hasObject, let fault = JSONFault.syntax(of: Array(text.utf8)) else {
            return
        }
        throw Problem(text: fault.description)
    }

    /// Reads one message; `place` and `what` name it in the error when it is not valid.
    static func message<M: Message>(
        _ json: Data,
        at place: String,
        _ what: String
    ) throws(Problem) -> M {
        do throws(JSONFault) {
            return try M(checkedJSON: [UInt8](json))
        } catch {
            throw Problem(text: "\(place) is not \(what): \(error)")
        }
    }
}
