/// A caller's description of a file that it stores.
package struct AttachmentMetadata: Hashable, Sendable {
    /// The file's name, whose ending tells the type.
    package var fileName: String
    /// The file's uniform type identifier; where empty, the name's ending decides the type.
    package var typeHint = ""
    package var purpose: AttachmentPurpose
    /// The file's size in bytes; nil where the caller does not know it.
    package var byteCount: UInt64?
    /// The file's SHA-256 in hexadecimal; empty where the caller does not know it.
    package var sha256 = ""
    /// The media type of a rich push's payload; else empty.
    package var mediaType = ""

    package init(fileName: String, purpose: AttachmentPurpose = .notification) {
        self.fileName = fileName
        self.purpose = purpose
    }

    /// Checks the metadata, and gives the form that the file has to have (ATT-3, ATT-4).
    ///
    /// Paths in the refusals are relative to the metadata.
    ///
    /// - Throws: `UNErrorDomain` 100 for the name, 101 for a type that is unknown or not for the
    ///   purpose, 102 for a size above its limit, 105 for a file without bytes; or `INVALID_FIELD`.
    package func validate() throws(Refusal) -> AttachmentForm {
        guard Self.isFileName(fileName) else {
            throw Refusal(
                .attachmentInvalidURL,
                [.fileName],
                "is a file's name of 1-\(Limits.fileNameBytes) bytes, without a path"
            )
        }
        if let problem = FileName.problem(in: fileName) {
            throw Refusal(.attachmentInvalidURL, [.fileName], problem)
        }
        let type = try type()
        guard sha256.isEmpty || Self.isSHA256(sha256) else {
            throw .invalid([.sha256], "is 64 hexadecimal digits")
        }
        guard
            purpose == .richPush
                ? mediaType.isEmpty || Self.isMediaType(mediaType)
                : mediaType.isEmpty
        else {
            throw .invalid([.mediaType], "is that of a rich push, such as text/html, else empty")
        }
        let form = AttachmentForm(
            purpose: purpose,
            identifier: type?.identifier ?? (typeHint.isEmpty ? "public.data" : typeHint),
            mediaType: mediaType.isEmpty
                ? type?.mediaType ?? "application/octet-stream" : mediaType,
            byteLimit: purpose.byteLimit(of: type),
            type: purpose == .richPush ? nil : type
        )
        if let byteCount {
            guard byteCount > 0 else { throw .attachmentCorrupt([.byteCount], "has no bytes") }
            guard byteCount <= UInt64(form.byteLimit) else {
                throw .attachmentTooLarge([.byteCount], form.byteLimit)
            }
        }
        return form
    }

    /// The type of ``typeHint``, else of the name's ending; nil for a payload with neither.
    private func type() throws(Refusal) -> AttachmentType? {
        let found =
            typeHint.isEmpty
            ? AttachmentType(fileName: fileName) : AttachmentType(identifier: typeHint)
        if purpose == .richPush {
            guard typeHint.utf8.count <= Limits.typeHintBytes else {
                throw .attachmentTypeUnknown(
                    [.typeHint],
                    "is at most \(Limits.typeHintBytes) bytes"
                )
            }
            return found
        }
        let path: FieldPath = typeHint.isEmpty ? [.fileName] : [.typeHint]
        guard let found else {
            throw .attachmentTypeUnknown(path, "tells no type that notifications have")
        }
        guard purpose.takes(found) else {
            throw .attachmentTypeUnknown(path, "tells a type that is not for this purpose")
        }
        return found
    }

    private static func isFileName(_ name: String) -> Bool {
        let separators: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "\\")]
        return (1...Limits.fileNameBytes).contains(name.utf8.count) && name != "." && name != ".."
            && name.utf8.allSatisfy { !separators.contains($0) }
    }

    static func isSHA256(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    /// Whether `text` is two names of RFC 6838's characters with a slash between them.
    private static func isMediaType(_ text: String) -> Bool {
        guard text.utf8.count <= Limits.mediaTypeBytes else { return false }
        let parts = text.utf8.split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
        return parts.count == 2
            && parts.allSatisfy { CenterName.isName($0, atMost: 127, extra: "!#$&-^_.+") }
    }
}

/// The form that a file has to have, according to its metadata.
package struct AttachmentForm: Hashable, Sendable {
    package let purpose: AttachmentPurpose
    /// Its uniform type identifier.
    package let identifier: String
    package let mediaType: String
    /// The number of bytes that the file may have.
    package let byteLimit: Int
    /// The type of the file's bytes; nil where any bytes are allowed.
    let type: AttachmentType?

    /// How many bytes from the file's beginning ``check(_:)`` needs: all bytes of a sound.
    package var checkedByteCount: Int { purpose == .sound ? byteLimit : FileSignature.byteCount }

    /// Checks that the bytes of a file fit its type (ATT-3, ATT-10).
    ///
    /// - Parameter bytes: The file's first ``checkedByteCount`` bytes, or all where it has fewer.
    /// - Returns: The facts in the header of a sound; nil for any other purpose.
    /// - Throws: `UNErrorDomain` 101 where the bytes are of another type, or a sound's encoding
    ///   cannot be played; 105 where there are no bytes or they do not decode.
    /// - Complexity: O(chunks) for a sound, else O(1).
    package func check(_ bytes: [UInt8]) throws(Refusal) -> SoundFacts? {
        guard !bytes.isEmpty else { throw .attachmentCorrupt([.data], "has no bytes") }
        guard let type else { return nil }
        let head = Array(bytes.prefix(FileSignature.byteCount))
        guard let found = FileSignature(head) else {
            throw .attachmentCorrupt([.data], "does not begin as any known type does")
        }
        guard found == type.signature else {
            throw .attachmentTypeUnknown([.data], "is of another type than \(identifier)")
        }
        guard found.isWhole(head) else {
            throw .attachmentCorrupt([.data], "has no header of \(identifier)")
        }
        guard purpose == .sound else { return nil }
        do throws(SoundProblem) {
            return try SoundFacts(of: bytes, found)
        } catch {
            switch error {
            case .damaged: throw .attachmentCorrupt([.data], "has no header of a sound")
            case .codecUnsupported:
                throw .attachmentTypeUnknown([.data], "is a sound of an encoding that none plays")
            }
        }
    }
}

extension Refusal {
    /// Refuses a file whose type is unknown, or differs from the metadata (`UNErrorDomain` 101).
    package static func attachmentTypeUnknown(_ path: FieldPath, _ problem: String) -> Refusal {
        Refusal(.attachmentUnrecognizedType, path, problem)
    }

    /// Refuses a file that has more bytes than it may (`UNErrorDomain` 102).
    package static func attachmentTooLarge(_ path: FieldPath, _ limit: Int) -> Refusal {
        var refusal = Refusal(
            .attachmentInvalidFileSize,
            path,
            "such a file has at most \(limit) bytes"
        )
        refusal.facts = [.limit: "\(limit)"]
        return refusal
    }

    /// Refuses a file that does not decode, or differs from its metadata (`UNErrorDomain` 105).
    package static func attachmentCorrupt(_ path: FieldPath, _ problem: String) -> Refusal {
        Refusal(.attachmentCorrupt, path, problem)
    }
}
