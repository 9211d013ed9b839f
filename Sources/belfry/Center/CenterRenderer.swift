internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

/// Renders a ``CenterScreen`` as lines.
struct CenterRenderer {
    /// The largest number of lines of a body, for the selected notification and for others.
    private static let bodyLines = (selected: 8, other: 2)

    /// More columns than any text has.
    private static let unlimited = 1 << 20

    /// Writes the time of a notification.
    let dates: DateText
    /// Whether the terminal has colours, of which pictures are made.
    var showsPictures = false

    /// Makes the lines of a terminal, at most `rows`, each of at most `columns`.
    ///
    /// The banners stay at the top and the keys at the bottom. The list between them scrolls, so
    /// that the selected item is visible.
    func lines(_ screen: CenterScreen, rows: Int, columns: Int) -> [ScreenLine] {
        let foot = Array(footer(screen).suffix(max(0, rows - 1)))
        let head = header(screen)
        if let opened = screen.opened {
            let height = max(0, rows - head.count - foot.count)
            var middle = Array(lines(opened, rows: height, columns: columns).prefix(height))
            middle += Array(repeating: ScreenLine(), count: height - middle.count)
            return (head + middle + foot).prefix(max(0, rows)).map { $0.fitted(to: columns) }
        }
        var listed = screen.rows[...]
        var top = head
        for row in listed.prefix(while: \.isBanner) {
            top += lines(row, in: screen, columns: columns) + [ScreenLine()]
        }
        if top.count + foot.count + 6 <= rows {
            listed = listed.drop(while: \.isBanner)
        } else {
            // A low terminal shows the selected item rather than all banners.
            top = Array(head.prefix(max(0, rows - foot.count)))
        }
        let height = max(0, rows - top.count - foot.count)
        var middle = window(listed, of: screen, height: height, columns: columns)
        if listed.isEmpty, screen.connection == .live, height > 0 {
            middle = [ScreenLine("   No notifications.", .dim)]
        }
        middle += Array(repeating: ScreenLine(), count: height - middle.count)
        return (top + middle + foot).prefix(max(0, rows)).map { $0.fitted(to: columns) }
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

    private func window(
        _ rows: ArraySlice<CenterScreen.Row>,
        of screen: CenterScreen,
        height: Int,
        columns: Int
    ) -> [ScreenLine] {
        let place = rows.firstIndex { $0.item == screen.selection } ?? rows.startIndex
        // Each row has more than one line, so rows that are farther away are not visible.
        let near = rows[max(rows.startIndex, place - height)..<min(rows.endIndex, place + height)]
        var lines: [ScreenLine] = []
        var starts: [Int] = []
        var selected = 0..<0
        for row in near {
            starts.append(lines.count)
            lines += self.lines(row, in: screen, columns: columns) + [ScreenLine()]
            if row.item == screen.selection { selected = (starts.last ?? 0)..<(lines.count - 1) }
        }
        guard selected.upperBound > height else { return Array(lines.prefix(height)) }
        // The selected row is in the middle, and the first line is the first line of a row.
        let middle = selected.lowerBound + selected.count / 2 - height / 2
        let last = min(middle, lines.count - 1 - height)
        let start = starts.first { $0 >= last } ?? 0
        return Array(lines.dropFirst(min(start, selected.lowerBound)).prefix(height))
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
                isSelected: isSelected,
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
        isSelected: Bool,
        showsActions: Bool
    ) -> [ScreenLine] {
        var lines = [heading(notification)]
        if !notification.title.isEmpty { lines.append(ScreenLine(notification.title, .bold)) }
        if !notification.subtitle.isEmpty { lines.append(ScreenLine(notification.subtitle)) }
        if !notification.body.isEmpty {
            let limit = isSelected ? Self.bodyLines.selected : Self.bodyLines.other
            lines += Self.wrapped(notification.body, columns: columns, lines: limit)
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

    /// Makes the lines of a long text.
    static func wrapped(_ text: String, columns: Int, lines limit: Int) -> [ScreenLine] {
        let width = max(1, columns)
        // A text may be long, and the whole screen is rendered for every key.
        return String(text.prefix((width + 1) * limit)).printable
            .wrapped(to: width, lines: limit)
            .map { ScreenLine($0) }
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
