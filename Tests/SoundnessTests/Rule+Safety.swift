extension Rule {
    /// Where unsafe code may be: around the three C libraries.
    static let unsafeDirectories = [
        "Sources/BelfryCertificates", "Sources/BelfryGRPC", "Sources/BelfryHashing",
        "Sources/BelfryLMDB", "Sources/BelfryWebPush",
        "Tests/BelfryGRPCTests", "Tests/BelfryLMDBTests", "Tests/BelfryWebPushTests",
    ]

    /// The other files with unsafe code, and why.
    static let unsafeFiles: [String: String] = [
        "Sources/BelfryLocking/Guarded.swift":
            "a planted fault leaves a lock out",
        "Sources/belfry/SignalSource.swift":
            "pipe, read and write take pointers",
        "Sources/belfry/Center/Terminal.swift":
            "termios, ioctl, poll and read take pointers",
        "Sources/Faults/Fault.swift":
            "getenv gives a C string",
        "Sources/NotificationClient/ServerTarget+Owner.swift":
            "stat, connect and getsockopt take pointers",
        "Sources/NotificationHTTP/PageFile.swift":
            "what is embedded is behind pointers",
        "Sources/NotificationHTTP/PeerShares.swift":
            "SwiftNIO lends a peer's address as a pointer",
        "Sources/NotificationHTTP/PushCarrier.swift":
            "SwiftNIO lends an address as a pointer",
        "Sources/NotificationRecords/Changes/ChangeKey.swift":
            "an array's bytes as words are a raw span",
        "Sources/NotificationRecords/Changes/KeyOrder.swift":
            "an array's bytes as words are a raw span",
        "Sources/NotificationRecords/Coding/ByteReader.swift":
            "an array's bytes as numbers are a raw span",
        "Sources/NotificationStore/Maintenance/WallInstant+FileName.swift":
            "gmtime_r and strftime take pointers",
        "Sources/NotificationStore/System/DataDirectoryLock.swift":
            "open, pread and pwrite of the lock file take pointers",
        "Sources/NotificationStore/System/DiskSpace.swift":
            "stat and statvfs take pointers",
        "Sources/NotificationStore/System/Files.swift":
            "the C library's file functions take pointers",
        "Sources/NotificationStore/System/FreedMemory.swift":
            "open and read take pointers",
        "Tests/NotificationStoreTests/FreedMemoryTests.swift":
            "malloc and free take and give pointers",
        "Sources/NotificationStore/System/SystemThread.swift":
            "owns the writer's and the readers' pthreads",
        "Sources/NotificationStore/System/SystemTime.swift":
            "clock_gettime and the boot id's read take pointers",
        "Sources/NotificationStore/System/Wakeup.swift":
            "epoll, eventfd and timerfd take pointers",
        "Sources/belfry/Access/FileLock.swift":
            "stat takes pointers",
        "Sources/belfry/RegularFile.swift":
            "open and fstat take pointers",
        "Sources/belfry/Access/OwnToken.swift":
            "open, fstat, link and unlink take pointers",
        "Sources/belfry/Access/PrivateFile.swift":
            "open, rename and unlink take pointers",
        "Sources/belfry/Access/SignInCode.swift":
            "open, fstat and unlink take pointers",
        "Sources/belfry/Access/TokenFile.swift":
            "open and fstat take pointers",
        "Sources/belfry/Serve/AccessOptions.swift":
            "getgrnam takes and gives pointers",
        "Sources/belfry/Serve/ServiceManager.swift":
            "sendto takes pointers",
        "Sources/belfry/Serve/TokenWatch.swift":
            "stat takes pointers",
        "Sources/belfry/DamagedFile.swift":
            "write in a signal handler takes a pointer",
        "Sources/belfry/Descriptors.swift":
            "getrlimit and setrlimit take pointers",
        "Sources/belfry/MemoryFile.swift":
            "memfd_create takes a C string",
        "Sources/belfry/Serve/HeldFile.swift":
            "open, rename and unlink take pointers",
        "Sources/belfry/SystemReason.swift":
            "strerror gives a C string",
        "Sources/belfry/Serve/KeyCopy.swift":
            "futimens takes a pointer",
        "Tests/BelfryTests/ChildProcess.swift":
            "posix_spawn and waitid take pointers",
        "Tests/TestSupport/FileSizeLimit.swift":
            "getrlimit and setrlimit take pointers",
        "Tests/SoundnessTests/Shell.swift":
            "popen takes and gives pointers",
    ]

    static let uncheckedSendableLimit = 5

    static let unsafeCodeIsWhereItMayBe = eachLine(
        of: { $0.isOwnSwift && !$0.mayBeUnsafe },
        in: { $0.code }
    ) { _, line in
        line.hasWord("unsafe") ? "unsafe code is not allowed here: see Rule.unsafeFiles" : nil
    }

    static let unsafeFilesNeedTheirEntry = Rule { tree in
        tree.files.filter { file in
            unsafeFiles[file.path] != nil && !file.code.contains { $0.hasWord("unsafe") }
        }.map { file in
            file.violation(line: 1, "has no unsafe code: take it off Rule.unsafeFiles")
        }
    }

    static let uncheckedSendableSaysWhy = eachFile(of: { $0.isOwnSwift }) { file in
        file.uncheckedSendableLines.filter { !file.hasSafetyComment(beside: $0) }.map { line in
            file.violation(line: line, "@unchecked Sendable without a `Safety:` comment")
        }
    }

    static let uncheckedSendableIsRare = Rule { tree in
        let all = tree.files.filter(\.isOwnSwift).flatMap { file in
            file.uncheckedSendableLines.map { line in
                file.violation(
                    line: line,
                    "more than \(uncheckedSendableLimit) @unchecked Sendable"
                )
            }
        }
        return Array(all.dropFirst(uncheckedSendableLimit))
    }

    static let nonisolatedUnsafeIsBanned = eachLine(
        of: { $0.isOwnSwift },
        in: { $0.code }
    ) { _, line in
        guard line.hasWord("nonisolated"),
            line.filter({ !$0.isWhitespace })
                .contains("nonisolated(unsafe)")
        else { return nil }
        return "nonisolated(unsafe) hides a data race"
    }

    static let forceTryIsBanned = eachLine(of: { $0.isOwnSwift }, in: { $0.code }) { _, line in
        line.contains("try!") ? "try! turns an error into a trap" : nil
    }

    /// Foundation's own words for a failure do not tell a directory from a full disk.
    static let failuresAreToldInTheSystemsWords = eachLine(
        of: { $0.isIn("Sources") && $0.path != "Sources/belfry/SystemReason.swift" },
        in: { $0.code }
    ) { _, line in
        line.hasWord("localizedDescription") ? "say the error's reason" : nil
    }

    static let outputIsWrittenInOnePlace = eachLine(
        of: { $0.isIn("Sources") && $0.path != "Sources/belfry/StandardOutput.swift" },
        in: { $0.code }
    ) { _, line in
        line.contains("FileHandle.standardOutput") ? "write with StandardOutput" : nil
    }

    static let nothingIsLeftToDo = eachLine(of: { !$0.isGenerated }, in: { $0.prose }) { _, line in
        ["TODO", "FIXME"].first(where: line.hasWord).map { "\($0): do it or drop it" }
    }
}

extension SourceFile {
    fileprivate var mayBeUnsafe: Bool {
        Rule.unsafeDirectories.contains(where: isIn) || Rule.unsafeFiles[path] != nil
    }

    fileprivate var uncheckedSendableLines: [Int] {
        code.enumerated().filter { $0.element.contains("@unchecked") }.map { $0.offset + 1 }
    }

    /// Whether the comment beside a line says `Safety:`: on it, below it, or above it with
    /// attributes between.
    fileprivate func hasSafetyComment(beside number: Int) -> Bool {
        let above = prose[..<(number - 1)].reversed().prefix { line in
            let text = line.drop { $0.isWhitespace }
            return text.hasPrefix("//") || text.hasPrefix("@")
        }
        let below = prose[number...].prefix { line in
            line.drop { $0.isWhitespace }.hasPrefix("//")
        }
        return prose[number - 1].contains("// Safety:")
            || above.contains { $0.contains("Safety:") }
            || below.contains { $0.contains("Safety:") }
    }
}
