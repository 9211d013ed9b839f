internal import BelfryGRPC
internal import BelfryHashing
internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

extension Publication {
    /// What a notification carries for its app, as `user_info_json`.
    private struct UserInfo: Encodable {
        let tags: [String]
        let click: String
        let actions: [Action]
    }

    /// The category that has the notification's buttons; empty where it has none.
    ///
    /// Publications with the same labels share a category.
    var categoryIdentifier: String {
        guard !actions.isEmpty else { return "" }
        let hash = SHA256()
        for action in actions {
            let label = Array(action.label.utf8) + [0]
            hash.update(label.span)
        }
        let digits = hash.finish().prefix(8).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "ntfy-" + digits.joined()
    }

    var center: Belfry_V1_Center { .with { $0.appID = topic } }

    /// The category of the notification's buttons.
    var category: Belfry_V1_NotificationCategory {
        .with {
            $0.identifier = categoryIdentifier
            $0.actions = actions.map { action in
                .with {
                    $0.identifier = action.label
                    $0.title = action.label
                }
            }
        }
    }

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
        .with {
            $0.title = title
            $0.body = message
            $0.categoryIdentifier = categoryIdentifier
            switch priority {
            case ...2: $0.interruptionLevel = .passive
            case 4...: $0.interruptionLevel = .timeSensitive
            default: $0.interruptionLevel = .active
            }
            if priority >= 3 { $0.sound = Belfry_V1_Sound() }
            if !tags.isEmpty || !click.isEmpty || !actions.isEmpty {
                let info = UserInfo(tags: tags, click: click, actions: actions)
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
