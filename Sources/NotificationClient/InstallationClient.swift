public import BelfryGRPC
public import NotificationProtocol
internal import SwiftProtobuf

/// Registers apps on devices, unregisters apps, and sets their texts and sounds.
///
/// The client is a value that uses a channel and does not close it. It is safe on any thread.
public struct InstallationClient: Sendable {
    private let caller: Caller

    /// Makes a client for the apps on devices; no call is made yet.
    ///
    /// - Parameters:
    ///   - channel: The connection to a server.
    ///   - options: How calls are made.
    public init(channel: Channel, options: CallOptions = CallOptions()) {
        caller = Caller(channel: channel, options: options)
    }

    /// Registers an app on a device, or replaces the manifest of an app that is registered.
    ///
    /// - Parameters:
    ///   - center: The app and the device.
    ///   - manifest: The app's names, icon, language, entitlements and extensions.
    ///   - key: The idempotency key, if any.
    /// - Returns: The registered app.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func registerApp(
        _ center: Belfry_V1_Center,
        _ manifest: Belfry_V1_AppManifest = .init(),
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_App {
        var request = Belfry_V1_RegisterAppRequest()
        request.center = center
        request.idempotencyKey = key
        request.manifest = manifest
        let response: Belfry_V1_RegisterAppResponse = try await call("RegisterApp", request)
        return response.app
    }

    /// Removes an app from a device, with everything that the app has on that device.
    ///
    /// - Parameters:
    ///   - center: The app and the device.
    ///   - key: The idempotency key, if any.
    /// - Returns: The revoked tokens, in hexadecimal.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func unregisterApp(
        _ center: Belfry_V1_Center,
        key: String = ""
    ) async throws(ClientError) -> [String] {
        var request = Belfry_V1_UnregisterAppRequest()
        request.center = center
        request.idempotencyKey = key
        let response: Belfry_V1_UnregisterAppResponse = try await call("UnregisterApp", request)
        return response.revokedTokens
    }

    /// Replaces an app's texts in one language, on all devices.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - language: The language, as a BCP 47 tag.
    ///   - strings: All texts in that language, by key; an empty dictionary removes the table.
    ///   - key: The idempotency key, if any.
    /// - Returns: The number of texts in the table.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func setStringTable(
        of app: String,
        in language: String,
        _ strings: [String: Belfry_V1_LocalizedString],
        key: String = ""
    ) async throws(ClientError) -> UInt64 {
        var request = Belfry_V1_SetStringTableRequest()
        request.appID = app
        request.language = language
        request.strings = strings.map { key, text in
            .with { entry in
                entry.key = key
                entry.value = text
            }
        }
        request.idempotencyKey = key
        let response: Belfry_V1_SetStringTableResponse = try await call("SetStringTable", request)
        return response.count
    }

    /// Sets or removes a named sound of an app, on all devices.
    ///
    /// - Parameters:
    ///   - name: The name of the sound.
    ///   - attachment: The identifier of the attachment that holds the sound; empty removes the
    ///     sound.
    ///   - app: The app.
    ///   - key: The idempotency key, if any.
    /// - Returns: The sound; an empty message when the sound was removed.
    /// - Throws: ``ClientError`` with the server's refusal; nothing was changed.
    public func setSound(
        _ name: String,
        to attachment: String,
        of app: String,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_InstalledSound {
        var request = Belfry_V1_SetSoundRequest()
        request.appID = app
        request.idempotencyKey = key
        request.name = name
        request.attachmentID = attachment
        let response: Belfry_V1_SetSoundResponse = try await call("SetSound", request)
        return response.sound
    }

    /// Gets one page of the languages in which an app has texts, without the texts.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - pageSize: The largest number, 1 to 1,000; 0 leaves the number to the server.
    ///   - pageToken: The token that the previous page gave; empty begins at the first page.
    /// - Returns: The page, and the token of the next page.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func listStringTables(
        of app: String,
        pageSize: Int32 = 0,
        pageToken: String = ""
    ) async throws(ClientError) -> Belfry_V1_ListStringTablesResponse {
        var request = Belfry_V1_ListStringTablesRequest()
        request.appID = app
        request.pageSize = pageSize
        request.pageToken = pageToken
        return try await call("ListStringTables", request)
    }

    /// Gets one page of an app's sounds, by name.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - pageSize: The largest number, 1 to 1,000; 0 leaves the number to the server.
    ///   - pageToken: The token that the previous page gave; empty begins at the first page.
    /// - Returns: The page, and the token of the next page.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func listSounds(
        of app: String,
        pageSize: Int32 = 0,
        pageToken: String = ""
    ) async throws(ClientError) -> Belfry_V1_ListSoundsResponse {
        var request = Belfry_V1_ListSoundsRequest()
        request.appID = app
        request.pageSize = pageSize
        request.pageToken = pageToken
        return try await call("ListSounds", request)
    }

    private func call<Answer: Message>(
        _ rpc: String,
        _ message: some Message
    ) async throws(ClientError) -> Answer {
        try await caller.call("/belfry.v1.InstallationService/\(rpc)", message)
    }
}
