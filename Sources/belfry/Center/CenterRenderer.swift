internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

/// Renders a ``CenterScreen`` as lines.
struct CenterRenderer {
    /// The largest number of lines of a body, for the selected notification and for others.
    private static let bodyLines = (selected: 8, other: 2)

    /// How many lines the list keeps beside banners.
    private static let listLines = 6

    /// More columns than any text has.
    private static let unlimited = 1 << 20

    /// Writes the time of a notification.
    let dates: DateText
    /// Whether the terminal has colours, of which pictures are made.
    var showsPictures = false

    /// Makes the lines of a terminal, at most `rows`, each of at most `columns`.
    ///
    /// The banners stay at the top and the keys at the bottom. The list between them scrolls, so
    /// that the selected item is visible; marks say how many items are above and below.
    func lines(_ screen: CenterScreen, rows: Int, columns: Int) -> [ScreenLine] {
        var foot = Array(footer(screen, columns: columns).suffix(max(0, rows - 1)))
        var top = header(screen)
        let height = max(0, rows - top.count - foot.count)
        var middle: [ScreenLine]
        if let text = scrolled(screen, height: height, columns: columns) {
            middle = text.lines(from: screen.look.scroll, height: height)
        } else if case .settings(let settings) = screen.mode {
            let window = window(settings, in: screen, height: height, columns: columns)
            middle = window.lines
            mark(window, top: &top, foot: &foot)
        } else {
            var listed = screen.rows[...]
            let banners = listed.prefix(while: \.isBanner)
            let room = max(height - Self.listLines, (height + 1) / 2)
            if let lines = self.banners(banners, in: screen, room: room, columns: columns) {
                top += lines
                listed = listed.dropFirst(banners.count)
            }
            top = Array(top.prefix(max(0, rows - foot.count)))
            let left = max(0, rows - top.count - foot.count)
            let window = window(listed, of: screen, height: left, columns: columns)
            middle = window.lines
            if listed.isEmpty, screen.connection == .live, left > 0 {
                let nothing = screen.list.search.isEmpty ? "No notifications." : "Nothing found."
                middle = [ScreenLine("   " + nothing, .dim)]
            }
            mark(window, top: &top, foot: &foot)
        }
        middle += Array(
            repeating: ScreenLine(),
            count: max(0, rows - top.count - foot.count - middle.count)
        )
        return (top + middle + foot).prefix(max(0, rows)).map { $0.fitted(to: columns) }
    }

    /// Says how many items are above and below those that show, where else nothing stands.
    private func mark(_ window: Window, top: inout [ScreenLine], foot: inout [ScreenLine]) {
        if window.above > 0, top.last == ScreenLine() {
            top[top.count - 1] = ScreenLine("   ↑ \(window.above) above", .dim)
        }
        // Leave the first of two lines to a text that is typed.
        if window.below > 0, foot.count > 1, foot[0] == ScreenLine() {
            foot[0] = ScreenLine("   ↓ \(window.below) below", .dim)
        }
    }

    /// Makes the lines of a page that is printed once; without a limit when `columns` is nil.
    func page(_ screen: CenterScreen, columns: Int?) -> [ScreenLine] {
        let columns = columns ?? Self.unlimited
        var screen = screen
        screen.selection = nil
        let rows = screen.rows
        var lines = header(screen)
        for row in rows {
            lines += self.lines(row, in: screen, columns: columns, showsActions: true)
            lines.append(ScreenLine())
        }
        if rows.isEmpty { lines.append(ScreenLine("No notifications.", .dim)) }
        while lines.last == ScreenLine() { lines.removeLast() }
        return lines.map { $0.fitted(to: columns) }
    }

    // MARK: The list

    /// Makes the lines of the banners, the newest first, each cut to its share where they have not
    /// room enough.
    ///
    /// - Returns: Nil where the list has to show them: there is no line for each, or one that has
    ///   to be cut is selected.
    private func banners(
        _ rows: ArraySlice<CenterScreen.Row>,
        in screen: CenterScreen,
        room: Int,
        columns: Int
    ) -> [ScreenLine]? {
        let whole = rows.map { self.lines($0, in: screen, columns: columns) }
        if whole.reduce(0, { $0 + $1.count + 1 }) <= room {
            return whole.flatMap { $0 + [ScreenLine()] }
        }
        guard room > rows.count, !rows.contains(where: { $0.item == screen.selection }) else {
            return nil
        }
        // Keep the last line free, which separates the banners from the list.
        var left = room - 1
        var lines: [ScreenLine] = []
        for (place, (row, full)) in zip(rows, whole).enumerated() {
            let share = max(1, left / (rows.count - place))
            var cut = Array(full.prefix(share))
            if cut.count < full.count {
                if share == 1, let notification = row.notification {
                    cut = [Self.oneLine(notification)]
                } else {
                    cut[cut.count - 1].append(" …")
                }
            }
            left -= cut.count
            lines += cut
        }
        return lines + [ScreenLine()]
    }

    /// A banner of which one line shows: its text comes before its app.
    private static func oneLine(_ notification: Belfry_V1_RenderedNotification) -> ScreenLine {
        let texts = [notification.title, notification.subtitle, notification.body]
        var line = ScreenLine(" ┃ ")
        line.append(texts.first { !$0.isEmpty } ?? "", .bold)
        line.append("  " + notification.appName, .cyan)
        line.append(" …")
        return line
    }

    /// The lines of a list that show, and how many items are above and below them.
    struct Window {
        var lines: [ScreenLine] = []
        var above = 0
        var below = 0
    }

    private func window(
        _ rows: ArraySlice<CenterScreen.Row>,
        of screen: CenterScreen,
        height: Int,
        columns: Int
    ) -> Window {
        let place = max(rows.startIndex, screen.selectedPlace ?? rows.startIndex)
        // Leave out rows that are farther away: each has more than one line, so they are not
        // visible.
        let near = rows[max(rows.startIndex, place - height)..<min(rows.endIndex, place + height)]
        var lines: [ScreenLine] = []
        var parts: [Range<Int>] = []
        var selected = 0..<0
        for row in near {
            let start = lines.count
            lines += self.lines(row, in: screen, columns: columns) + [ScreenLine()]
            parts.append(start..<(lines.count - 1))
            if row.item == screen.selection { selected = start..<(lines.count - 1) }
        }
        var start = 0
        if selected.upperBound > height {
            // Put the selected row in the middle, and begin with the first line of a row.
            let middle = selected.lowerBound + selected.count / 2 - height / 2
            let last = min(middle, lines.count - 1 - height)
            start = parts.first { $0.lowerBound >= last }?.lowerBound ?? 0
            start = min(start, selected.lowerBound)
        }
        return Window(
            lines: Array(lines.dropFirst(start).prefix(height)),
            above: near.startIndex - rows.startIndex + parts.count { $0.lowerBound < start },
            below: rows.endIndex - near.endIndex
                + parts.count { $0.upperBound > start + height }
        )
    }

    /// Makes the lines of one row, with a margin that marks the selected row.
    private func lines(
        _ row: CenterScreen.Row,
        in screen: CenterScreen,
        columns: Int,
        showsActions: Bool = false
    ) -> [ScreenLine] {
        let isSelected = screen.selection == row.item
        var lines: [ScreenLine] = []
        if let notification = row.notification {
            var margin = row.isBanner ? "┃ " : "  "
            if case .notification = row.item { margin += "  " }
            lines = self.lines(
                notification,
                columns: columns - 1 - margin.columns,
                bodyLines: showsActions
                    ? .max : isSelected ? Self.bodyLines.selected : Self.bodyLines.other,
                showsActions: isSelected || row.isBanner || showsActions
            )
            if let prompt = row.prompt { lines.append(Self.answers(to: prompt.kind)) }
            if row.isCollapsed, let summary = row.group?.info.summary, !summary.isEmpty {
                lines.append(ScreenLine(summary, .dim))
            }
            lines = lines.map { $0.indented(by: margin) }
        } else if let prompt = row.prompt {
            lines = self.lines(prompt, in: screen).map { $0.indented(by: "  ") }
        }
        return lines.enumerated().map { place, line in
            line.indented(by: isSelected && place == 0 ? "❯" : " ")
        }
    }

    private func lines(
        _ notification: Belfry_V1_RenderedNotification,
        columns: Int,
        bodyLines: Int,
        showsActions: Bool
    ) -> [ScreenLine] {
        var lines = [heading(notification)]
        if !notification.title.isEmpty { lines.append(ScreenLine(notification.title, .bold)) }
        if !notification.subtitle.isEmpty { lines.append(ScreenLine(notification.subtitle)) }
        if !notification.body.isEmpty {
            lines += Self.wrapped(notification.body, columns: columns, lines: bodyLines)
        }
        if notification.hasProgress {
            lines.append(Self.bar(notification.progress, columns: columns))
        }
        let names = notification.attachments.map(\.identifier).filter { !$0.isEmpty }
        if !names.isEmpty {
            lines.append(ScreenLine("Attached: " + names.joined(separator: ", "), .dim))
        }
        if !notification.actions.isEmpty, showsActions {
            lines.append(Self.line(notification.actions))
        }
        return lines
    }

    /// Makes the lines of a long text, which has lines of its own.
    static func wrapped(_ text: String, columns: Int, lines limit: Int) -> [ScreenLine] {
        let width = max(1, columns)
        // Cut the text, which may be long: the whole screen is rendered for every key.
        let (most, overflows) = (width + 1).multipliedReportingOverflow(by: limit)
        let parts = text.prefix(overflows ? .max : most)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var lines: [String] = []
        for part in parts {
            guard lines.count < limit else {
                lines[limit - 1] = (lines[limit - 1] + "…").fitted(to: width)
                break
            }
            lines += String(part).printable.wrapped(to: width, lines: limit - lines.count)
        }
        return lines.map { ScreenLine($0) }
    }

    /// Makes the line with the app and the time of a notification.
    func heading(_ notification: Belfry_V1_RenderedNotification) -> ScreenLine {
        var head = ScreenLine(notification.appName, .cyan)
        head.append("  " + time(notification.date.date), .dim)
        if notification.hasInterruptionLevel {
            switch notification.interruptionLevel {
            case .timeSensitive: head.append("  Time Sensitive", .yellow)
            case .critical: head.append("  Critical", .red)
            case .passive, .active, .UNRECOGNIZED: break
            }
        }
        if notification.held { head.append("  In the summary", .dim) }
        if notification.hasSilencedByFocus {
            let name = notification.silencedByFocus
            head.append("  Silenced by the Focus" + (name.isEmpty ? "" : " " + name), .dim)
        }
        return head
    }

    /// The widest bar that shows how much is done.
    private static let barColumns = 30

    /// Makes the bar of a progress from 0 to 1, which is full only when all is done.
    static func bar(_ progress: Double, columns: Int) -> ScreenLine {
        let width = max(1, min(barColumns, columns - 6))
        let part = max(0, min(1, progress))
        let done = String(repeating: "█", count: Int(part * Double(width)))
        let rest = String(repeating: "░", count: width - done.count)
        return ScreenLine(done + rest + " \(Int(part * 100)) %", .cyan)
    }

    static func line(_ actions: [Belfry_V1_NotificationAction]) -> ScreenLine {
        var line = ScreenLine()
        for (place, action) in actions.prefix(10).enumerated() {
            if place > 0 { line.append("  ") }
            line.append("[\((place + 1) % 10)]", .dim)
            let emphasis: Style.Emphasis? = action.options.contains(.destructive) ? .red : nil
            line.append(" " + action.title + (action.hasTextInput ? "…" : ""), emphasis)
        }
        return line
    }

    private func time(_ date: Date) -> String {
        let day = { dates.absolute($0).prefix { $0 != " " } }
        let isToday = day(date) == day(dates.now)
        return isToday ? dates.time(date) : dates.absolute(date)
    }
}
