internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

/// Makes lines of a ``CenterScreen``.
struct CenterRenderer {
    /// The lines of something that the person can move to.
    struct Block {
        var item: CenterScreen.Item
        var lines: [ScreenLine]
    }

    /// The most lines of a body: of one that the person is at, and of another.
    private static let bodyLines = (selected: 8, other: 2)

    /// More columns than any text has.
    private static let unlimited = 1 << 20

    /// Writes when a notification came.
    let dates: DateText

    /// Makes the lines of a terminal, at most `rows`, each of at most `columns`.
    ///
    /// What is above all else stays at the top, what keys do at the bottom, and the list is moved
    /// so that it shows where the person is.
    func lines(_ screen: CenterScreen, rows: Int, columns: Int) -> [ScreenLine] {
        let foot = Array(footer(screen).suffix(max(0, rows - 1)))
        let blocks = blocks(screen, columns: columns, isLive: true)
        let isBanner = { (block: Block) in
            if case .banner = block.item { true } else { false }
        }
        var top = header(screen)
        for block in blocks.prefix(while: isBanner) { top += block.lines + [ScreenLine()] }
        // A terminal that is low shows where the person is rather than all that is new.
        let isHigh = top.count + foot.count + 6 <= rows
        let pinned = isHigh ? top : Array(header(screen).prefix(max(0, rows - foot.count)))
        let listed = isHigh ? Array(blocks.drop(while: isBanner)) : blocks
        let height = max(0, rows - pinned.count - foot.count)
        var middle = window(listed, around: screen.selection, height: height)
        if blocks.isEmpty, height > 0 { middle = [ScreenLine("   No notifications.", .dim)] }
        middle += Array(repeating: ScreenLine(), count: height - middle.count)
        return (pinned + middle + foot).prefix(max(0, rows)).map { $0.fitted(to: columns) }
    }

    /// Makes the lines of a page that is printed once, without a limit where `columns` is nil.
    func page(_ screen: CenterScreen, columns: Int?) -> [ScreenLine] {
        let columns = columns ?? Self.unlimited
        let blocks = blocks(screen, columns: columns, isLive: false)
        var lines = header(screen)
        for block in blocks { lines += block.lines + [ScreenLine()] }
        if blocks.isEmpty { lines += [ScreenLine("No notifications.", .dim)] }
        while lines.last == ScreenLine() { lines.removeLast() }
        return lines.map { $0.fitted(to: columns) }
    }

    // MARK: The list

    private func window(
        _ blocks: [Block],
        around selection: CenterScreen.Item?,
        height: Int
    ) -> [ScreenLine] {
        var lines: [ScreenLine] = []
        var selected = 0..<0
        for block in blocks {
            let start = lines.count
            lines += block.lines + [ScreenLine()]
            if block.item == selection { selected = start..<(lines.count - 1) }
        }
        let middle = selected.lowerBound + selected.count / 2 - height / 2
        let start = max(0, min(middle, selected.lowerBound, lines.count - 1 - height))
        return Array(lines.dropFirst(start).prefix(height))
    }

    private func blocks(_ screen: CenterScreen, columns: Int, isLive: Bool) -> [Block] {
        screen.items.compactMap { item in
            let isSelected = isLive && screen.selection == item
            let lines: [ScreenLine]
            if let notification = screen.notification(of: item) {
                lines = self.lines(
                    notification,
                    as: item,
                    in: screen,
                    columns: columns - 3,
                    isSelected: isSelected,
                    showsActions: isSelected || !isLive
                )
            } else if let prompt = screen.prompt(of: item) {
                lines = self.lines(prompt, in: screen)
            } else {
                return nil
            }
            var isBanner = false
            if case .banner = item { isBanner = true }
            return Block(
                item: item,
                lines: lines.enumerated().map { place, line in
                    let mark = isSelected && place == 0 ? "❯" : " "
                    return line.indented(by: mark + (isBanner ? "┃ " : "  "))
                }
            )
        }
    }

    private func lines(
        _ notification: Belfry_V1_RenderedNotification,
        as item: CenterScreen.Item,
        in screen: CenterScreen,
        columns: Int,
        isSelected: Bool,
        showsActions: Bool
    ) -> [ScreenLine] {
        var isBanner = false
        if case .banner = item { isBanner = true }
        var margin = ""
        if case .notification = item { margin = "  " }
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
        var lines = [head]
        if !notification.title.isEmpty { lines.append(ScreenLine(notification.title, .bold)) }
        if !notification.subtitle.isEmpty { lines.append(ScreenLine(notification.subtitle)) }
        if !notification.body.isEmpty {
            let limit = isSelected ? Self.bodyLines.selected : Self.bodyLines.other
            let width = max(1, columns - margin.columns)
            // A body may be long, and the screen is made anew for every key.
            lines += String(notification.body.prefix((width + 1) * limit)).printable
                .wrapped(to: width, lines: limit)
                .map { ScreenLine($0) }
        }
        let names = notification.attachments.map(\.identifier).filter { !$0.isEmpty }
        if !names.isEmpty {
            lines.append(ScreenLine("Attached: " + names.joined(separator: ", "), .dim))
        }
        if !notification.actions.isEmpty, isBanner || showsActions {
            lines.append(Self.line(notification.actions))
        }
        if let prompt = screen.prompt(of: item) { lines.append(Self.answers(to: prompt.kind)) }
        if case .group = item, let group = screen.group(of: item), !group.info.summary.isEmpty {
            lines.append(ScreenLine(group.info.summary, .dim))
        }
        return lines.map { $0.indented(by: margin) }
    }

    private static func line(_ actions: [Belfry_V1_NotificationAction]) -> ScreenLine {
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
