internal import Foundation

/// The files that the rules look at.
struct SourceTree: Sendable {
    let files: [SourceFile]
    /// The names of the top level's files and directories.
    let topLevel: [String]

    /// The package that this file is in.
    static let package = SourceTree(root: packageRoot)

    /// The directory with Package.swift: this file is Tests/SoundnessTests/SourceTree.swift.
    static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    init(files: [SourceFile], topLevel: [String] = []) {
        self.files = files
        self.topLevel = topLevel
    }

    /// Reads a package: the files that git knows or would add and, where git is absent, those that
    /// are there.
    private init(root: URL) {
        let listed = Self.git(["ls-files", "--cached", "--others", "--exclude-standard"], in: root)
        let paths = listed ?? Self.walk(root)
        files = paths.filter(Self.isText).sorted().compactMap { path in
            // A file may be deleted and not yet committed as such.
            guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8)
            else { return nil }
            return SourceFile(path: path, text: text)
        }
        let tracked = Self.git(["ls-files", "--cached"], in: root) ?? paths
        topLevel = Set(tracked.compactMap { $0.split(separator: "/").first.map(String.init) })
            .sorted()
    }

    private static func isText(_ path: String) -> Bool {
        let endings = [
            "swift", "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "inc", "m", "mm", "proto", "sh",
            "md", "py", "rb", "yml", "Makefile",
        ]
        return endings.contains { path.hasSuffix("." + $0) || path == $0 }
    }

    /// The paths that git prints, or nil where there is no git or no repository.
    private static func git(_ arguments: [String], in root: URL) -> [String]? {
        let command = "git \(arguments.joined(separator: " ")) -z 2>/dev/null"
        guard let bytes = Shell.output(of: command, in: root) else { return nil }
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The paths of all files but those that belong to a build or to git.
    private static func walk(_ root: URL) -> [String] {
        guard let walker = FileManager.default.enumerator(atPath: root.path) else { return [] }
        var paths: [String] = []
        while let path = walker.nextObject() as? String {
            if [".build", ".git"].contains(where: { path == $0 || path.hasSuffix("/" + $0) }) {
                walker.skipDescendants()
            } else if walker.fileAttributes?[.type] as? FileAttributeType == .typeRegular {
                paths.append(path)
            }
        }
        return paths
    }
}
