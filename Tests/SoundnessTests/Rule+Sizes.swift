extension Rule {
    static let functionLineLimit = 80
    static let fileLineLimit = 800
    static let columnLimit = 100
    static let shimHeaderLineLimit = 200

    static let functionsAreShort = eachFile(of: { $0.isStyled && $0.language != .proto }) { file in
        let scanner = FunctionScanner(code: file.code)
        let functions = file.language == .swift ? scanner.swiftFunctions() : scanner.cFunctions()
        return functions.filter { $0.lineCount > functionLineLimit }.map { function in
            file.violation(
                line: function.line,
                "\(function.name) has \(function.lineCount) lines, more than \(functionLineLimit)"
            )
        }
    }

    static let filesAreShort = eachFile(of: { $0.isStyled }) { file in
        guard file.lines.count > fileLineLimit else { return [] }
        let message = "has \(file.lines.count) lines, more than \(fileLineLimit)"
        return [file.violation(line: fileLineLimit + 1, message)]
    }

    static let linesAreShort = eachLine(of: { $0.isStyled }, in: { $0.lines }) { _, line in
        guard line.utf8.count > columnLimit, line.count > columnLimit else { return nil }
        return "has \(line.count) columns, more than \(columnLimit)"
    }

    static let shimHasOneShortHeader = Rule { tree in
        let headers = tree.files.filter {
            $0.isIn("Sources/CBelfryGRPC/include") && $0.language == .c
        }
        let others = headers.dropFirst().map { file in
            file.violation(line: 1, "the shim has one public header")
        }
        let long = headers.filter { $0.lines.count >= shimHeaderLineLimit }.map { file in
            file.violation(
                line: shimHeaderLineLimit,
                "has \(file.lines.count) lines; the shim's header has under \(shimHeaderLineLimit)"
            )
        }
        return others + long
    }
}
