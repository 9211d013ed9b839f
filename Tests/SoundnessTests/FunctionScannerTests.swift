internal import Testing

@Suite("The function scanner")
struct FunctionScannerTests {
    static let swiftSnippets = [
        Snippet("one line", "func a() { b() }", "a 1+1"),
        Snippet("a body", "struct S {\n  func a() {\n    b()\n  }\n}", "a 2+3"),
        Snippet(
            "a signature of many lines counts",
            "func a<T>(\n  b: Int = c { 1 },\n  d: [Int]\n) async throws(E)\n  -> T\nwhere T: P,\n"
                + "  T: Q\n{\n}",
            "a 1+9"
        ),
        Snippet("an operator", "static func == (a: S, b: S) -> Bool {\n  true\n}", "== 1+3"),
        Snippet(
            "initialisers and their kin",
            "init() {\n}\ninit?(a: Int) {\n}\ndeinit {\n}\nsubscript(i: Int) -> Int {\n  1\n}",
            "init 1+2",
            "init 3+2",
            "deinit 5+2",
            "subscript 7+3"
        ),
        Snippet("calls of initialisers are none", "x = S.init() { 1 }\nsuper.init()"),
        Snippet("a computed property", "var a: Int {\n  1\n}\nvar b = 2", "a 1+3"),
        Snippet("an observer", "var a = 2 {\n  didSet {\n  }\n}", "didSet 2+2"),
        Snippet("stored properties", "let a: Int\nvar b: Int\nvar c = { 1 }()\nvar d: [Int] = []"),
        Snippet(
            "requirements have no body",
            "protocol P {\n  func a()\n  func b() -> Int\n  init()\n}\nfunc c() {\n}",
            "c 6+2"
        ),
        Snippet("a function in a function", "func a() {\n  func b() {\n  }\n}", "a 1+4", "b 2+2"),
        Snippet(
            "comments and strings are not code",
            "// func a() {\n/* func b() { */\nlet c = \"func d() {\"\nlet e = \"\"\"\n"
                + "  func f() {\n"
                + "  \"\"\"\nfunc g() {\n  h(\"}\", #\"\\\"}\"#)\n}",
            "g 7+3"
        ),
        Snippet("interpolation is code", "func a() {\n  b(\"{ \\(c { \"}\" }) {\")\n}", "a 1+3"),
        Snippet("a property of a protocol", "protocol P {\n  var a: Int { get }\n}", "a 2+1"),
    ]

    static let cSnippets = [
        Snippet("one line", "int a() { return 1; }", "a 1+1"),
        Snippet("a declaration has no body", "int a(void);\nint b(int c) {\n}", "b 2+2"),
        Snippet(
            "scopes are passed",
            "extern \"C\" {\nnamespace n {\nclass K : public B {\n public:\n"
                + "  explicit K(int a) : B(a) {\n  }\n};\n}\n}",
            "K 5+2"
        ),
        Snippet("members in braces", "K::K(int a) : b_{a}, c_(a), d_{a} {\n  e();\n}", "K::K 1+3"),
        Snippet(
            "control flow and lambdas are inside",
            "void a() {\n  if (b) {\n  }\n  c([] {\n  });\n}",
            "a 1+6"
        ),
        Snippet(
            "qualifiers",
            "int K::a() const noexcept override {\n}\nauto b() -> int {\n}",
            "K::a 1+2",
            "b 3+2"
        ),
        Snippet("values are none", "static const int a[] = {b(1), {2}};\nstruct S {\n  int c;\n};"),
        Snippet("a struct is returned", "struct s *a(struct s b) {\n}", "a 1+2"),
        Snippet(
            "macros are none",
            "#define A(x) do { \\\n  x; \\\n} while (0)\nvoid a() {\n}",
            "a 4+2"
        ),
        Snippet(
            "comments, strings and characters are not code",
            "// void a() {\n/* void b() { */\nvoid c() {\n  d('{', \"{\", R\"x({)x\", 1'000);\n}",
            "c 3+3"
        ),
    ]

    @Test("Swift functions are found with their lengths", arguments: swiftSnippets)
    func swift(snippet: Snippet) {
        let file = SourceFile(path: "a.swift", text: snippet.text)
        let found = FunctionScanner(code: file.code).swiftFunctions().map(Self.text)
        #expect(found == snippet.found)
    }

    @Test("C and C++ functions are found with their lengths", arguments: cSnippets)
    func c(snippet: Snippet) {
        let file = SourceFile(path: "a.cc", text: snippet.text)
        let found = FunctionScanner(code: file.code).cFunctions().map(Self.text)
        #expect(found == snippet.found)
    }

    @Test("The scanner finds the functions of its own file")
    func itself() throws {
        let file = try #require(
            SourceTree.package.files.first { $0.name == "FunctionScanner.swift" }
        )
        let names = FunctionScanner(code: file.code).swiftFunctions().map(\.name)
        #expect(names.starts(with: ["init", "swiftFunctions", "swiftName", "swiftBody"]))
    }

    private static func text(_ function: FunctionScanner.Function) -> String {
        "\(function.name) \(function.line)+\(function.lineCount)"
    }
}
