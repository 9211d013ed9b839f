internal import BelfryLMDB
package import NotificationCore
package import NotificationRecords

package struct InstalledSound: Hashable, Sendable {
    package var name: String
    package var attachment: String
    /// The facts in the header of the sound's file.
    package var facts: SoundFacts
}

extension Store {
    /// Installs a named sound of an app, or removes it; the app need not be registered.
    ///
    /// `name` has 1-256 bytes. `attachment` is the attachment that was stored as a sound; empty
    /// removes the sound. `completion` is told the sound, or nil where it was removed, once the
    /// change is durable; `SOUND_NAME_INVALID`, `SOUND_LIMIT`, or `UNErrorDomain` 101 or 103 for
    /// the attachment.
    package func setSound(
        _ name: String,
        to attachment: String,
        of app: String,
        once key: OnceKey? = nil,
        completion: @escaping Completion<[InstalledSound]>
    ) {
        submit(SetSoundCommand(app: app, name: name, attachment: attachment), once: key, completion)
    }
}

struct SetSoundCommand: Command {
    let app: String
    let name: String
    let attachment: String

    var growth: Growth { .asked }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<[InstalledSound]> {
        guard (1...Limits.soundNameBytes).contains(name.utf8.count) else {
            return .done(.failure(.soundNameInvalid))
        }
        if let problem = FileName.problem(in: name) {
            return .done(.failure(.invalid([.name], problem, reason: .soundNameInvalid)))
        }
        let key = SoundKey(name, of: app)
        let old = try batch.transaction.sound(name, of: app, batch.tables)
        guard !attachment.isEmpty else {
            if old != nil { try batch.transaction.deleteExisting(key, in: batch.tables.sounds) }
            try batch.attachments.changeUse(from: old?.attachment ?? "", to: "", of: app)
            return .done(.success([]))
        }
        guard let identifier = AttachmentIdentifier(attachment),
            let stored = try batch.transaction.attachment(identifier, of: app, batch.tables)
        else { return .done(.failure(.attachmentNotInDataStore([.file]))) }
        guard let facts = stored.sound else {
            let refusal = Refusal.attachmentTypeUnknown(
                [.file],
                "was not stored as a sound"
            )
            return .done(.failure(refusal))
        }
        let isOneMore = old == nil
        if isOneMore, try batch.hasAllSounds(of: app) {
            return .done(.failure(.soundLimit(batch.limits.soundsPerApp)))
        }
        let record = SoundRecord(attachment: identifier)
        let growth = old == nil ? key.bytes.count + record.bytes.count : 0
        try StoreFailure.refuse(batch.refusal(ofKeeping: growth, of: .app(app)))
        try batch.transaction.put(record, at: key, in: batch.tables.sounds)
        try batch.attachments.changeUse(from: old?.attachment ?? "", to: attachment, of: app)
        let sound = InstalledSound(name: name, attachment: identifier.text, facts: facts)
        return .done(.success([sound]))
    }
}

extension Batch {
    fileprivate func hasAllSounds(of app: String) throws(StoreFailure) -> Bool {
        let limit = limits.soundsPerApp
        return try transaction.keys(in: tables.sounds, .app(app), atMost: limit).count >= limit
    }
}

extension BelfryLMDB.Transaction where Self: ~Copyable {
    /// Finds a sound of an app; nil where the app has none of this name (SND-1).
    func sound(
        _ name: String,
        of app: String,
        _ tables: Tables
    ) throws(StoreFailure) -> InstalledSound? {
        // No sound has such a name, and no key is so long.
        guard (1...Limits.soundNameBytes).contains(name.utf8.count) else { return nil }
        let key = SoundKey(name, of: app)
        let identifier = try rowIfAny(key, in: tables.sounds)?.attachment
        guard let identifier else { return nil }
        guard let facts = try attachment(identifier, of: app, tables)?.sound else {
            throw .disagrees(key, in: tables.sounds)
        }
        return InstalledSound(name: name, attachment: identifier.text, facts: facts)
    }
}

extension InstalledSound: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(name)
        writer.put(attachment)
        facts.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        name = try reader.text()
        attachment = try reader.text()
        facts = try reader.value()
    }
}

extension Refusal {
    /// Refuses a name that no sound can have.
    static let soundNameInvalid = Refusal.invalid(
        [.name],
        "a sound's name is 1-\(Limits.soundNameBytes) bytes of UTF-8",
        reason: .soundNameInvalid
    )

    /// The app has as many sounds as it may.
    static func soundLimit(_ limit: Int) -> Refusal {
        let message = "the app has \(limit) sounds, its limit: take one away first"
        return limitReached(.soundLimit, limit, message)
    }
}
