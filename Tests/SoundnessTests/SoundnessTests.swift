internal import Testing

/// The rules, held against the package's own files.
@Suite("Soundness")
struct SoundnessTests {
    /// Records each violation with its place.
    private func expectSound(_ rule: Rule) {
        for violation in rule.check(.package) { Issue.record("\(violation)") }
    }

    @Test("The package's files are found")
    func filesAreFound() {
        let paths = Set(SourceTree.package.files.map(\.path))
        #expect(paths.contains("Package.swift"))
        #expect(paths.contains("Sources/CBelfryLMDB/shim.h"))
        #expect(paths.contains("Tests/SoundnessTests/SoundnessTests.swift"))
        #expect(SourceTree.package.topLevel.contains("Sources"))
    }

    @Test("A target imports only what its row of the import table lists")
    func imports() { expectSound(.targetsImportWhatTheirRowLists) }

    @Test("NotificationCore imports nothing but the faults")
    func coreImportsNothing() { expectSound(.coreImportsNothing) }

    @Test("One file of NotificationStore, the calendar's, imports Foundation")
    func calendarAdapter() { expectSound(.oneCalendarAdapter) }

    @Test("Every import has an access level")
    func importsHaveAnAccessLevel() { expectSound(.importsHaveAnAccessLevel) }

    @Test("Only what programs use is public")
    func access() {
        expectSound(.publicIsForPrograms)
        expectSound(.publicFilesNeedTheirEntry)
    }

    @Test("What programs see is described")
    func descriptions() { expectSound(.publicDeclarationsAreDescribed) }

    @Test("No sentence of a comment begins with What or Who")
    func commentsHaveSubjects() { expectSound(.commentsHaveSubjects) }

    @Test("No two declarations are described by the same sentence")
    func descriptionsAreSaidOnce() { expectSound(.descriptionsAreSaidOnce) }

    @Test("Functions have at most 80 lines")
    func functionsAreShort() { expectSound(.functionsAreShort) }

    @Test("Files have at most 800 lines")
    func filesAreShort() { expectSound(.filesAreShort) }

    @Test("Lines have at most 100 columns")
    func linesAreShort() { expectSound(.linesAreShort) }

    @Test("Types have at most 12 stored properties and 40 methods")
    func typesAreSmall() {
        expectSound(.typesAreSmall)
        expectSound(.largeTypesNeedTheirEntry)
    }

    @Test("The shim has one public header of under 200 lines")
    func shimHeader() { expectSound(.shimHasOneShortHeader) }

    @Test("Unsafe code is where it may be")
    func unsafeCode() {
        expectSound(.unsafeCodeIsWhereItMayBe)
        expectSound(.unsafeFilesNeedTheirEntry)
    }

    @Test("Each @unchecked Sendable has a comment that says why it is safe")
    func uncheckedSendableSaysWhy() { expectSound(.uncheckedSendableSaysWhy) }

    @Test("There are at most five @unchecked Sendable")
    func uncheckedSendableIsRare() { expectSound(.uncheckedSendableIsRare) }

    @Test("There is no nonisolated(unsafe)")
    func nonisolatedUnsafe() { expectSound(.nonisolatedUnsafeIsBanned) }

    @Test("There is no forced try")
    func forceTry() { expectSound(.forceTryIsBanned) }

    @Test("Failures are told in the system's words")
    func failures() {
        expectSound(.failuresAreToldInTheSystemsWords)
        expectSound(.outputIsWrittenInOnePlace)
    }

    @Test("Texts from outside are compared and hashed by their bytes")
    func textsAreBytes() {
        expectSound(.textIsHashedByItsBytes)
        expectSound(.textIsComparedByItsBytes)
        expectSound(.textOperatorsAreImported)
    }

    @Test("No text below the service has a field's path or an rpc of the wire")
    func wireWords() {
        expectSound(.wireWordsAreTheServices)
        #expect(WireWords.package.fields.contains("time_interval"))
        #expect(WireWords.package.rpcs.contains("RequestAuthorization"))
    }

    @Test("Nothing is marked as left to do")
    func nothingIsLeftToDo() { expectSound(.nothingIsLeftToDo) }

    @Test("A rule that is cited is in Documentation")
    func citedRules() { expectSound(.citedRulesExist) }

    @Test("C and C++ are only in the shims and beside the server")
    func cIsInTheShims() { expectSound(.cIsInTheShims) }

    @Test("The top level holds only what it should")
    func topLevel() { expectSound(.topLevelIsTidy) }
}
