internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension NotificationService {
    func registerSounds(in router: inout Router) {
        mutation("InstallationService/SetSound", in: &router) {
            (
                request: Belfry_V1_SetSoundRequest,
                key: OnceKey?,
                reply: Reply<Belfry_V1_SetSoundResponse>
            )
                throws(Refusal) in
            store.setSound(
                request.name,
                to: request.attachmentID,
                of: try appName(request.appID),
                once: key
            ) { result in
                reply.finish(
                    result.map { sounds in
                        .with { response in
                            if let sound = sounds.first { response.sound = .init(sound) }
                        }
                    }
                )
            }
        }
    }
}

extension Belfry_V1_InstalledSound {
    init(_ sound: InstalledSound) {
        self.init()
        name = sound.name
        attachmentID = sound.attachment
        duration = Google_Protobuf_Duration(nanoseconds: sound.facts.durationNanoseconds)
        isTooLong = sound.facts.isTooLong
    }
}
