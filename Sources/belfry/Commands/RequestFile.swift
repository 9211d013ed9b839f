internal import ArgumentParser
internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

enum RequestFile {
    /// A request of a file.
    struct Entry {
        /// The place in the file, for a person: "requests[1]" or "line 12".
        var place: String
        /// The request; where it is none, the problem with its place.
        var request: Result<Belfry_V1_NotificationRequest, Problem>
    }

    /// The requests of a file.
    struct Content {
        var entries: [Entry] = []
        /// Whether the file is a calendar.
        var isCalendar = false
        /// The properties of a calendar that requests have no place for.
        // Bounded: the file's bytes.
        var leftOut: Set<String> = []
    }

    typealias Problem = JSONFile.Problem

    /// Reads a calendar, or JSON: an array of requests, or requests one after the other.
    ///
    /// A request is a `NotificationRequest`, or an object whose `request` is a
    /// `NotificationRequest`, as the lists print it. "-" is standard input.
    ///
    /// - Throws: `ExitCode` 65, after printing why no request could be read on standard error.
    static func read(_ path: String) throws -> Content {
        try JSONFile.read(path, isText: false) { data in
            // A calendar may break a line within a character.
            if CalendarFile.isCalendar(data) { return try CalendarFile.parse(data) }
            try JSONFile.checkText(data)
            let entries = try parse(data).enumerated().map { index, request in
                Entry(place: "requests[\(index)]", request: request)
            }
            return Content(entries: entries)
        }
    }

    /// Reads an array, or objects on separate lines, or a single object.
    static func parse(
        _ data: Data
    ) throws -> [Result<Belfry_V1_NotificationRequest, Problem>] {
        let requests = try JSONFile.elements(data, named: "requests").map { json, place in
            Result { () throws(Problem) in try request(json, at: place) }
        }
        guard let first = requests.first else { throw Problem(text: "there are no requests in it") }
        // Refuse a file without any request for one reason alone.
        guard requests.contains(where: { (try? $0.get()) != nil }) else {
            _ = try first.get()
            return []
        }
        return requests
    }

    /// Splits requests into batches that one call accepts: at most 1,000 requests, well under 1
    /// MiB.
    static func batches(of requests: [Belfry_V1_NotificationRequest]) -> [Range<Int>] {
        let (countLimit, byteLimit) = (1_000, 900 * 1_024)
        var batches: [Range<Int>] = []
        var (start, bytes) = (0, 0)
        for (place, request) in requests.enumerated() {
            // Count 8 bytes more, for the field number and the length before an item.
            let size = ((try? request.serializedBytes() as [UInt8]) ?? []).count + 8
            if place > start, place - start == countLimit || bytes + size > byteLimit {
                batches.append(start..<place)
                (start, bytes) = (place, 0)
            }
            bytes += size
        }
        if start < requests.count { batches.append(start..<requests.count) }
        return batches
    }

    private static func request(
        _ json: Data,
        at place: String
    ) throws(Problem) -> Belfry_V1_NotificationRequest {
        let listed = try? JSONSerialization.jsonObject(with: json) as? [String: Any]
        guard let inner = listed?["request"],
            let json = try? JSONSerialization.data(
                withJSONObject: inner,
                options: .fragmentsAllowed
            )
        else { return try JSONFile.message(json, at: place, "a request") }
        return try JSONFile.message(json, at: "\(place).request", "a request")
    }
}
