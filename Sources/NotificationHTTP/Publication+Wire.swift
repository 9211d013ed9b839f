internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

extension Publication {
    /// The data that a notification carries for its app, as `user_info_json`.
    private struct UserInfo: Encodable {
        let tags: [String]
        let click: String
        let icon: String?
        let actions: [PublicationAction]
    }

    var center: Belfry_V1_Center { .with { $0.appID = topic } }

    /// The request that is added; without a trigger it is shown now.
    func request(
        identifier: String,
        trigger: Belfry_V1_Trigger?
    ) -> Belfry_V1_NotificationRequest {
        .with {
            $0.identifier = identifier
            $0.content = content
            if let trigger { $0.trigger = trigger }
        }
    }

    private var content: Belfry_V1_NotificationContent {
        // Show pictures before the title, and all other tags below it.
        let pictures = tags.compactMap { EmojiCodes.emoji(of: $0) }
        let words = tags.filter { EmojiCodes.emoji(of: $0) == nil }
        let prefix = pictures.isEmpty ? "" : pictures.joined() + " "
        return .with {
            $0.title = title.isEmpty ? "" : prefix + title
            $0.subtitle = words.joined(separator: ", ")
            $0.body = title.isEmpty ? prefix + message : message
            $0.actions = actions.map { action in
                .with {
                    $0.identifier = action.label
                    $0.title = action.label
                }
            }
            switch priority {
            case ...2: $0.interruptionLevel = .passive
            case 4...: $0.interruptionLevel = .timeSensitive
            default: $0.interruptionLevel = .active
            }
            if priority >= 3 { $0.sound = Belfry_V1_Sound() }
            if !tags.isEmpty || !click.isEmpty || icon != nil || !actions.isEmpty {
                let info = UserInfo(tags: tags, click: click, icon: icon, actions: actions)
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                // Texts always encode.
                $0.userInfoJson =
                    (try? encoder.encode(info)).map {
                        String(decoding: $0, as: UTF8.self)
                    } ?? ""
            }
        }
    }
}
