internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

@testable internal import belfry

/// The frames and screens that the tests of `belfry center` are made of.
enum CenterFixtures {
    /// 2026-01-01 00:00:00, when tests begin.
    static let start = Date(timeIntervalSince1970: 1_767_225_600)

    /// A button that takes a text, and two that do not.
    static let actions: [Belfry_V1_NotificationAction] = [
        .with {
            $0.identifier = "reply"
            $0.title = "Reply"
            $0.textInput.buttonTitle = "Send"
            $0.textInput.placeholder = "Message"
        },
        .with {
            $0.identifier = "mute"
            $0.title = "Mute"
        },
        .with {
            $0.identifier = "delete"
            $0.title = "Delete"
            $0.options = [.destructive]
        },
    ]

    /// The button that takes a text, pressed with one.
    static func reply(_ text: String) -> Belfry_V1_RespondRequest.OneOf_Act {
        .action(
            .with {
                $0.actionIdentifier = "reply"
                $0.userText = text
            }
        )
    }

    static func center(_ app: String) -> Belfry_V1_Center {
        .with {
            $0.appID = app
            $0.deviceID = "local"
        }
    }

    static func reference(
        _ identifier: String,
        _ delivery: UInt64 = 1,
        app: String = "org.example.messages"
    ) -> Belfry_V1_NotificationRef {
        .with {
            $0.center = center(app)
            $0.identifier = identifier
            $0.delivery = delivery
        }
    }

    static func notification(
        _ identifier: String,
        _ delivery: UInt64 = 1,
        app: String = "org.example.messages",
        name: String = "Messages",
        after seconds: Int64 = 0,
        _ change: (inout Belfry_V1_RenderedNotification) -> Void = { _ in }
    ) -> Belfry_V1_RenderedNotification {
        .with {
            $0.notification = reference(identifier, delivery, app: app)
            $0.appName = name
            $0.date.seconds = 1_767_225_600 + seconds
            $0.title = "Title \(identifier)"
            $0.body = "Body \(identifier)"
            change(&$0)
        }
    }

    static func group(
        _ name: String,
        _ notifications: [Belfry_V1_RenderedNotification],
        summary: String? = nil
    ) -> Belfry_V1_NotificationGroup {
        .with {
            $0.info.groupID = name
            $0.info.center = notifications[0].notification.center
            $0.info.count = UInt32(notifications.count)
            $0.info.date = notifications[0].date
            $0.info.summary =
                summary ?? (notifications.count > 1 ? "\(notifications.count - 1) more" : "")
            $0.notifications = notifications
        }
    }

    static func prompt(
        _ name: String,
        _ kind: Belfry_V1_AuthorizationPromptKind = .initial
    ) -> Belfry_V1_AuthorizationPrompt {
        .with {
            $0.promptID = name
            $0.center = center("org.example.tea")
            $0.appName = "Tea"
            $0.kind = kind
            $0.options = [.alert, .sound]
        }
    }

    static func snapshot(
        _ change: (inout Belfry_V1_DeviceSnapshot) -> Void = { _ in }
    ) -> Belfry_V1_DeviceFrame {
        .with {
            $0.snapshot.state.deviceID = "local"
            $0.snapshot.complete = true
            change(&$0.snapshot)
        }
    }

    static func banner(
        _ notification: Belfry_V1_RenderedNotification,
        _ style: Belfry_V1_AlertStyle = .banner
    ) -> Belfry_V1_DeviceFrame {
        .with {
            $0.banner.notification = notification
            $0.banner.style = style
        }
    }

    /// A notification that is new in its group, perhaps in the place of another.
    static func added(
        _ notification: Belfry_V1_RenderedNotification,
        to group: Belfry_V1_NotificationGroup,
        replacing replaced: Belfry_V1_NotificationRef? = nil
    ) -> Belfry_V1_DeviceFrame {
        .with {
            $0.listChanged.change = replaced == nil ? .added : .replaced
            $0.listChanged.notification = notification.notification
            $0.listChanged.rendered = notification
            if let replaced { $0.listChanged.replaced = replaced }
            $0.listChanged.group = group.info
        }
    }

    /// A notification that is gone; `group` is what is left of its group.
    static func removed(
        _ reference: Belfry_V1_NotificationRef,
        from group: Belfry_V1_NotificationGroup
    ) -> Belfry_V1_DeviceFrame {
        .with {
            $0.listChanged.change = .removed
            $0.listChanged.notification = reference
            $0.listChanged.group = group.info
        }
    }

    /// A screen that was told these frames at the start.
    static func screen(_ frames: Belfry_V1_DeviceFrame...) -> CenterScreen {
        var screen = CenterScreen()
        for frame in frames { _ = screen.apply(frame, at: start) }
        return screen
    }

    /// Two messages with actions in a group, an older notification of another app, and its badge.
    static func messages() -> CenterScreen {
        screen(
            snapshot {
                $0.apps = [
                    .with {
                        $0.center = center("org.example.tea")
                        $0.name = "Tea"
                        $0.badge = 2
                    }
                ]
                $0.groups = [
                    group(
                        "alice",
                        [
                            notification("b", 2, after: 60) { $0.actions = actions },
                            notification("a", 1, after: 30) { $0.actions = actions },
                        ],
                        summary: "1 more notification from Alice"
                    ),
                    group("tea", [notification("t", app: "org.example.tea", name: "Tea")]),
                ]
            }
        )
    }
}
