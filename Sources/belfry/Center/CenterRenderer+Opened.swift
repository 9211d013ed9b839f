internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

// A notification that is open for a closer look.

extension CenterRenderer {
    /// The largest number of lines of a body, when an extension's view is shown below it.
    private static let bodyLinesWithView = 4

    /// Lines that are more than fit, and those that stay below them.
    struct Scrolled {
        var lines: [ScreenLine]
        var end: [ScreenLine] = []

        /// How far it can be moved.
        func limit(height: Int) -> Int {
            max(0, lines.count - max(1, height - end.count - 1))
        }

        /// The lines that show, with marks for what is above and below.
        func lines(from start: Int, height: Int) -> [ScreenLine] {
            let start = max(0, min(start, limit(height: height)))
            let shown = Array(lines.dropFirst(start).prefix(max(1, height - end.count - 1)))
            let below = lines.count - start - shown.count
            let marks = [start > 0 ? "↑ \(start)" : "", below > 0 ? "↓ \(below)" : ""]
                .filter { !$0.isEmpty }
            let mark =
                marks.isEmpty
                ? ScreenLine() : ScreenLine("   " + marks.joined(separator: "  ") + " lines", .dim)
            return Array((shown + [mark] + end).prefix(height))
        }
    }

    /// The lines that scroll in place of the list: the help, or the notification that is open.
    func scrolled(_ screen: CenterScreen, height: Int, columns: Int) -> Scrolled? {
        switch screen.mode {
        case .helping:
            let lines = CenterKeys.lines(columns: columns - 3).map { ScreenLine("   " + $0) }
            return Scrolled(lines: lines)
        // Leave the screen to those: another program may open a notification meanwhile.
        case .settings, .searching: return nil
        case .browsing, .replying, .confirmingDismissAll:
            return screen.opened.map { opened in
                scrolled(opened, rows: height, columns: columns, isMoved: screen.look.scroll > 0)
            }
        }
    }

    /// How far these lines can be moved.
    func scrollLimit(_ screen: CenterScreen, rows: Int, columns: Int) -> Int {
        let around = header(screen).count + footer(screen, columns: columns).count
        let height = max(0, rows - around)
        return scrolled(screen, height: height, columns: columns)?.limit(height: height) ?? 0
    }

    /// Makes the lines of an open notification: its text, its extension's view, its buttons.
    private func scrolled(
        _ opened: Belfry_V1_OpenPresentation,
        rows: Int,
        columns: Int,
        isMoved: Bool
    ) -> Scrolled {
        let notification = opened.notification
        var lines = [heading(notification)]
        if !opened.extension.defaultContentHidden {
            if !notification.title.isEmpty { lines.append(ScreenLine(notification.title, .bold)) }
            if !notification.subtitle.isEmpty { lines.append(ScreenLine(notification.subtitle)) }
            if !notification.body.isEmpty {
                let limit = opened.hasView && !isMoved ? Self.bodyLinesWithView : Int.max
                lines += Self.wrapped(notification.body, columns: columns - 3, lines: limit)
            }
        }
        if notification.hasProgress {
            lines.append(Self.bar(notification.progress, columns: columns - 3))
        }
        var end: [ScreenLine] = []
        if opened.view.media.buttonType != .none {
            end.append(ScreenLine(opened.view.media.isPlaying ? "▶ playing" : "❚❚ paused", .cyan))
        }
        if !opened.actions.isEmpty { end.append(Self.line(opened.actions)) }
        if opened.hasView {
            let above = isMoved ? 0 : lines.count
            let height = max(0, rows - above - end.count - 2)
            lines.append(ScreenLine())
            lines += view(opened.view, rows: height, columns: columns - 3)
        }
        return Scrolled(
            lines: lines.map { $0.indented(by: "   ") },
            end: end.map { $0.indented(by: "   ") }
        )
    }

    /// Makes the lines of an extension's view.
    private func view(
        _ view: Belfry_V1_ContentView,
        rows: Int,
        columns: Int
    ) -> [ScreenLine] {
        let data = [UInt8](view.data)
        if view.mediaType.hasPrefix("text/") {
            // Cut the view, which may be long: the whole screen is rendered for every key.
            let text = String(decoding: data.prefix(max(0, columns + 1) * rows * 4), as: UTF8.self)
            let split = text.split(separator: "\n", omittingEmptySubsequences: false)
            return split.prefix(rows).map { ScreenLine(String($0)) }
        }
        if showsPictures, view.mediaType == "image/png", let picture = Picture(png: data) {
            return Self.cells(picture, rows: rows, columns: columns)
        }
        var facts = "\(view.mediaType), \(data.count) bytes"
        if let size = Picture.size(of: data) { facts += ", \(size.width) × \(size.height)" }
        return [ScreenLine(facts, .dim)]
    }

    /// Makes the lines of a picture: two pixels in each character, which is twice as high as wide.
    private static func cells(_ picture: Picture, rows: Int, columns: Int) -> [ScreenLine] {
        guard rows > 0, columns > 0 else { return [] }
        let factor = min(
            1,
            Double(columns) / Double(picture.width),
            Double(rows * 2) / Double(picture.height)
        )
        let width = max(1, Int(Double(picture.width) * factor))
        let height = max(2, Int(Double(picture.height) * factor) / 2 * 2)
        let small = picture.scaled(width: width, height: height)
        return stride(from: 0, to: height, by: 2).map { row in
            var line = ScreenLine()
            for column in 0..<width {
                let place = row * width + column
                line.append(
                    ScreenLine.Cell(
                        upper: small.pixels[place],
                        lower: small.pixels[place + width]
                    )
                )
            }
            return line
        }
    }

    /// Makes the line with the keys that work while a notification is open.
    static func keys(_ opened: Belfry_V1_OpenPresentation) -> [(String, String)] {
        var keys: [(String, String)] = [("enter", "open")]
        if !opened.actions.isEmpty { keys.append(("1-9", "action")) }
        if opened.actions.contains(where: \.hasTextInput) { keys.append(("r", "reply")) }
        if opened.view.media.buttonType != .none {
            keys.append(("p", opened.view.media.isPlaying ? "pause" : "play"))
        }
        return keys + [("esc", "back"), ("↑↓", "read on")]
    }
}
