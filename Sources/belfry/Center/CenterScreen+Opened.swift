internal import NotificationProtocol
internal import SwiftProtobuf

// The notification that is open for a closer look.

extension CenterScreen {
    /// How many frames wait for the answer that opens their notification.
    private static let earlyLimit = 64

    /// Shows a notification that was opened.
    mutating func open(_ presentation: Belfry_V1_OpenPresentation) {
        opened = presentation
        look.scroll = 0
        for frame in look.early { change(frame) }
        look.early = []
    }

    mutating func change(_ frame: Belfry_V1_PresentationFrame) {
        guard var presentation = opened, presentation.presentationID == frame.presentationID else {
            look.early = look.early.suffix(Self.earlyLimit - 1) + [frame]
            return
        }
        switch frame.kind {
        case .actionsChanged(let changed): presentation.actions = changed.actions
        case .viewUpdated(let view):
            if view.data.isEmpty, presentation.hasView {
                if view.hasMedia {
                    presentation.view.media = view.media
                } else {
                    presentation.view.clearMedia()
                }
            } else {
                presentation.view = view
            }
        case .closed:
            opened = nil
            leaveClosed()
            return
        case nil: break
        }
        opened = presentation
    }

    /// Stops typing into a notification that is no longer open.
    mutating func leaveClosed() {
        guard case .replying(let reply) = mode, !reply.presentation.isEmpty,
            reply.presentation != opened?.presentationID
        else { return }
        mode = .browsing
    }

    /// Handles a key while a notification is open.
    mutating func pressWhileOpen(_ key: Key) -> CenterIntent? {
        guard let presentation = opened else { return nil }
        let name = presentation.presentationID
        switch key {
        case .escape, .character("v"): return .close(presentation: name)
        case .enter: return .act(presentation: name, .defaultAction(.init()))
        case .character("p"):
            guard presentation.view.media.buttonType != .none else {
                refuse("Nothing plays here.")
                return nil
            }
            let command = presentation.view.media.isPlaying
            return .act(presentation: name, .media(command ? .pause : .play))
        case .character("a"): return pressButton(0, of: presentation)
        case .character("0"): return pressButton(9, of: presentation)
        case .character(let digit) where ("1"..."9").contains(digit):
            return digit.wholeNumberValue.flatMap { pressButton($0 - 1, of: presentation) }
        case .character("r"):
            let place = presentation.actions.firstIndex(where: \.hasTextInput)
            guard let place else {
                refuse("It has no action that takes a text.")
                return nil
            }
            return pressButton(place, of: presentation)
        case .character("l"): return .lock(!device.locked)
        case .character("q"): return .quit
        case .character("?"):
            (look.scroll, mode) = (0, .helping)
            return nil
        default:
            _ = scroll(by: key)
            return nil
        }
    }

    private mutating func pressButton(
        _ place: Int,
        of presentation: Belfry_V1_OpenPresentation
    ) -> CenterIntent? {
        guard presentation.actions.indices.contains(place) else {
            refuse("It has no such action.")
            return nil
        }
        let action = presentation.actions[place]
        guard !action.hasTextInput else {
            beginReply(
                to: presentation.notification.notification,
                by: action,
                presentation: presentation.presentationID
            )
            return nil
        }
        return .act(
            presentation: presentation.presentationID,
            .action(.with { $0.actionIdentifier = action.identifier })
        )
    }
}
