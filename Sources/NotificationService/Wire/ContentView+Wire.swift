internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf

extension ContentView {
    /// Reads the view of a request, and checks it.
    init(_ wire: Belfry_V1_ContentView) throws(Refusal) {
        self.init(mediaType: wire.mediaType, data: [UInt8](wire.data))
        do {
            if wire.hasMedia { media = try MediaState(wire.media) }
            try validate()
        } catch {
            throw error.within([.view])
        }
    }
}

extension MediaState {
    fileprivate init(_ wire: Belfry_V1_MediaState) throws(Refusal) {
        self.init(
            buttonType: try choice(wire.buttonType, "media.button_type"),
            tintColor: wire.buttonTintColor,
            isPlaying: wire.isPlaying
        )
        guard wire.hasButtonFrame else { return }
        let frame = wire.buttonFrame
        buttonFrame = UnitRect(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
    }
}

extension Belfry_V1_ContentView {
    init(_ view: ContentView) {
        self.init()
        mediaType = view.mediaType
        data = .init(copying: view.data)
        if let media = view.media { self.media = .init(media) }
    }
}

extension Belfry_V1_MediaState {
    fileprivate init(_ state: MediaState) {
        self.init()
        buttonType =
            switch state.buttonType {
            case .none: .none
            case .default: .default
            case .overlay: .overlay
            }
        if let frame = state.buttonFrame {
            buttonFrame = .with { wire in
                (wire.x, wire.y) = (frame.x, frame.y)
                (wire.width, wire.height) = (frame.width, frame.height)
            }
        }
        buttonTintColor = state.tintColor
        isPlaying = state.isPlaying
    }
}
