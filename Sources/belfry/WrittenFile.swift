internal import Foundation

/// A file that the program writes where a person, or an app, says.
enum WrittenFile {
    /// Writes to a path that the person named: a file is replaced once the bytes are complete; a
    /// device or a pipe is written to.
    ///
    /// - Throws: What the system reports.
    static func write(_ bytes: Data, to path: String) throws {
        let options: Data.WritingOptions = isOther(atPath: path) ? [] : .atomic
        try bytes.write(to: URL(fileURLWithPath: path), options: options)
    }

    /// Whether there is something at a path that is no file: a link too, wherever it leads.
    static func isOther(atPath path: String) -> Bool {
        let found = try? FileManager.default.attributesOfItem(atPath: path)
        return (found?[.type] as? FileAttributeType).map { $0 != .typeRegular } ?? false
    }

    /// Writes to a new file under the name that an app gave it, which may not be hidden and may not
    /// be taken for an option.
    ///
    /// - Throws: ``Problem``, for a person, or what the system reports.
    static func write(_ bytes: Data, underItsOwnName name: String) throws {
        guard name.first != ".", name.first != "-" else {
            throw Problem(errorDescription: "the app named it so: name the file with --output")
        }
        do {
            let file = URL(fileURLWithPath: name)
            try bytes.write(to: file, options: .withoutOverwriting)
        } catch CocoaError.fileWriteFileExists {
            throw Problem(errorDescription: "is there already: name the file with --output")
        }
    }

    /// Why a file is not written under its own name.
    struct Problem: LocalizedError {
        let errorDescription: String?
    }
}
