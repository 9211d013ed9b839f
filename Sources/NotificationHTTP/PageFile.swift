internal import BelfryHashing
internal import CBelfryPage
internal import HTTPTypes

/// A file of the person's page, which is in the program.
struct PageFile: Sendable {
    /// Its type, as `Content-Type` has it.
    let mediaType: String
    let bytes: [UInt8]
    /// A name of this content, as `ETag` has it.
    let tag: String

    /// The files of the page, by their names.
    static let all: [String: PageFile] = {
        var files: [String: PageFile] = [:]
        var place = 0
        // Safety: what the C target gives is constant, and has as many bytes as it says.
        while let file = unsafe CBelfryPageFileAt(place)?.pointee {
            place += 1
            let bytes = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.byteCount))
            let digest = SHA256.digest(of: bytes.span)
            let tag = digest.map { String($0, radix: 16) }.joined(separator: "-")
            files[unsafe String(cString: file.name)] = PageFile(
                mediaType: unsafe String(cString: file.mediaType),
                bytes: bytes,
                tag: "\"\(tag)\""
            )
        }
        return files
    }()

    /// The file that a person gets who opens the server's address.
    static let index = "index.html"

    /// The rules that a browser gets with each file: nothing but the page's own files is loaded or
    /// run, whatever an app writes, and no other page may frame the page or hold its window.
    static let fields: HTTPFields = {
        var fields = HTTPFields()
        fields[.contentSecurityPolicy] = """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
            media-src blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
            base-uri 'none'; form-action 'none'; \
            frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types belfry
            """
        fields[.frameOptions] = "DENY"
        fields[.referrerPolicy] = "no-referrer"
        fields[.openerPolicy] = "same-origin"
        fields[.resourcePolicy] = "same-origin"
        fields[.permissionsPolicy] = """
            camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()
            """
        // Another build has other files under the same names.
        fields[.cacheControl] = "no-cache"
        return fields
    }()
}

extension HTTPField.Name {
    static let frameOptions = known("x-frame-options")
    static let referrerPolicy = known("referrer-policy")
    static let openerPolicy = known("cross-origin-opener-policy")
    static let resourcePolicy = known("cross-origin-resource-policy")
    static let permissionsPolicy = known("permissions-policy")
}
