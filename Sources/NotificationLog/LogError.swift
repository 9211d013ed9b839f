public import BelfryLMDB

/// Why a log takes no frame, or cannot be opened.
@usableFromInline
package enum LogError: Error, Equatable, Sendable {
    /// The disk failed.
    case disk(LMDBError)
    /// An earlier write or sync failed: it is unknown what of it is on disk.
    case failed
    /// The frames of all segments are still needed, or read.
    case full
    /// A frame is longer than a segment can have.
    case tooLong(byteCount: Int, limit: Int)
    /// A segment is not there.
    case missing(segment: Int)
    /// A segment does not begin as one.
    case notASegment(Int)
    /// A segment has another format.
    case format(found: UInt32, known: UInt32)
    /// A segment belongs to another log.
    case foreign(segment: Int)
    /// A segment was cut short, or has another size than it says.
    case cut(segment: Int, byteCount: Int)
    /// The log ends before the checkpoint does.
    case older(newest: UInt64, checkpoint: UInt64)
    /// The frames right behind the checkpoint are gone.
    case gap(checkpoint: UInt64, oldest: UInt64)
    /// The log goes on from other frames than the checkpoint has.
    case diverged(number: UInt64)
    /// A frame with frames behind it cannot be read.
    case damaged(number: UInt64, generation: UInt64, offset: Int)
    /// A frame is asked for that the log has no more.
    case trimmed(number: UInt64)

    /// Whether there is no room for a frame, of which then nothing is in the log.
    package var isOutOfSpace: Bool {
        switch self {
        case .full: true
        case .disk(let error): error.isOutOfSpace
        default: false
        }
    }

    /// Whether the log itself is damaged or another one, so that opening it again does not help.
    package var isDamage: Bool {
        switch self {
        case .missing, .notASegment, .foreign, .cut, .older, .gap, .diverged, .damaged, .format:
            true
        case .disk, .failed, .full, .tooLong, .trimmed: false
        }
    }

    static func onDisk<R>(_ body: () throws(LMDBError) -> R) throws(LogError) -> R {
        do throws(LMDBError) {
            return try body()
        } catch {
            throw .disk(error)
        }
    }
}

extension LogError: CustomStringConvertible {
    @usableFromInline
    package var description: String {
        switch self {
        case .disk(let error): "the log's disk failed: \(error)"
        case .failed: "the log takes nothing any more, since a write or a sync of it failed"
        case .full: "the log is full of frames that no checkpoint has, or that somebody reads"
        case .tooLong(let count, let limit):
            "a frame of \(count) bytes is longer than the log's \(limit)"
        case .missing(let segment): "segment \(segment) of the log is missing"
        case .notASegment(let segment): "segment \(segment) of the log is damaged, or is none"
        case .format(let found, let known):
            "the log has format \(found); this program knows format \(known)"
        case .foreign(let segment): "segment \(segment) is of another store's log"
        case .cut(let segment, let count):
            "segment \(segment) of the log was cut short: it has \(count) bytes"
        case .older(let newest, let checkpoint):
            "the log is older than the store: it ends with frame \(newest), "
                + "and the store has frame \(checkpoint)"
        case .gap(let checkpoint, let oldest):
            "the log does not reach back to the store: it begins with frame \(oldest), "
                + "and the store ends with frame \(checkpoint)"
        case .diverged(let number):
            "frame \(number) of the log does not follow what the store has: "
                + "the two are of different copies of the store"
        case .damaged(let number, let generation, let offset):
            "frame \(number) of the log is damaged: generation \(generation), byte \(offset)"
        case .trimmed(let number): "frame \(number) is not in the log any more"
        }
    }
}
