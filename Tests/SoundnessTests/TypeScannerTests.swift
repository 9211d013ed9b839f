internal import Testing

@Suite("The type scanner")
struct TypeScannerTests {
    static let snippets = [
        Snippet(
            "kinds of types",
            "struct A {}\nfinal class B: C {}\npublic enum D {}\nactor E {}\nprotocol F {}\n"
                + "extension G {}",
            "A 1: 0, 0",
            "B 2: 0, 0",
            "D 3: 0, 0",
            "E 4: 0, 0",
            "F 5: 0, 0",
            "G 6: 0, 0"
        ),
        Snippet(
            "properties that are kept",
            "struct A {\n  let a: Int\n  private(set) var b = 2\n"
                + "  @Option(help: \"c\") var c: Int?\n"
                + "  lazy var d = { 1 }()\n  var e: Int = 1 {\n    didSet { f() }\n  }\n"
                + "  weak var g: B?\n  var h: [Int: (Int) -> Void] = [:]\n  let (i, j) = (1, 2)\n}",
            "A 1: 8, 0"
        ),
        Snippet(
            "computed and static properties are none",
            "class A {\n  var a: Int { 1 }\n  var b: Int {\n    get { 1 }\n    set {}\n  }\n"
                + "  static let c = 1\n  static var d: Int { 1 }\n  class var e: Int { 1 }\n"
                + "  var f: Int\n  {\n    let g = 1\n    return g\n  }\n}",
            "A 1: 0, 0"
        ),
        Snippet(
            "methods",
            "struct A {\n  init() {}\n  init?(a: Int) {}\n  func a() {}\n  mutating func b()\n"
                + "    throws -> Int\n  { 1 }\n  subscript(a: Int) -> Int { 1 }\n"
                + "  static func == (a: A, b: A) -> Bool { true }\n  deinit {}\n}",
            "A 1: 0, 6"
        ),
        Snippet("class functions", "class A {\n  class func a() {}\n}", "A 1: 0, 1"),
        Snippet(
            "cases are none",
            "enum A {\n  case a(Int)\n  case b\n  indirect case c(A)\n}",
            "A 1: 0, 0"
        ),
        Snippet(
            "factories are values with a name",
            "struct A {\n  static func a() -> A { A() }\n"
                + "  static func b() throws(E) -> Self? { nil }\n"
                + "  static func c() -> [A] { [] }\n  func d() -> A { self }\n"
                + "  static func e(f: () -> A) -> Int { 1 }\n}\n"
                + "extension B.A {\n  static func a() -> A { A() }\n"
                + "  static func b() -> B.A { A() }\n  static func c() -> B { B() }\n}",
            "A 1: 0, 3",
            "B.A 8: 0, 1"
        ),
        Snippet(
            "requirements",
            "protocol A {\n  var a: Int { get }\n  init()\n  func b() -> Int\n  func c()\n}",
            "A 1: 0, 3"
        ),
        Snippet(
            "nested types",
            "struct A {\n  enum B {\n    case a\n    func c() {}\n  }\n  let b: B\n}\n"
                + "extension A.B {\n  struct C<T> where T: P {\n    let c: T\n  }\n}",
            "A 1: 1, 0",
            "A.B 2: 0, 1",
            "A.B 8: 0, 0",
            "A.B.C 9: 1, 0"
        ),
        Snippet(
            "what is in a body is the body's",
            "struct A {\n  func a() {\n    struct B { let c: Int }\n    let d = 1\n"
                + "    func e() {}\n  }\n  let f = { let g = 1; return g }()\n}",
            "A 1: 1, 1"
        ),
        Snippet(
            "words that only look so",
            "struct A {\n  let actor: Int\n  let b = B.init()\n  let `struct`: Int\n"
                + "  func c(func d: Int, `init`: Int) {}\n  // let e: Int\n"
                + "  static let f = \"let g: Int\"\n}",
            "A 1: 3, 1"
        ),
    ]

    @Test("Types are found with what is in them", arguments: snippets)
    func types(snippet: Snippet) {
        let file = SourceFile(path: "a.swift", text: snippet.text)
        let found = TypeScanner.parts(of: file.code).map { part in
            "\(part.name) \(part.line): \(part.properties), \(part.methods)"
        }
        #expect(found == snippet.found)
    }

    @Test("The scanner measures its own file")
    func itself() throws {
        let file = try #require(SourceTree.package.files.first { $0.name == "TypeScanner.swift" })
        let parts = TypeScanner.parts(of: file.code)
        #expect(parts.map(\.name) == ["TypeScanner", "TypeScanner.Part"])
        #expect(parts.map(\.properties) == [3, 5])
    }
}
