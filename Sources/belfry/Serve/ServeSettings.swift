internal import ArgumentParser
internal import BelfryLocking
internal import Foundation
internal import NotificationProtocol

/// The options of `belfry serve` that a file and the environment give: as arguments before those of
/// the command line, which therefore count more.
struct ServeSettings {
    /// The values that an option takes.
    enum Kind {
        /// One value; the last one counts.
        case value
        /// Any number of values.
        case list
        /// Nothing.
        case flag
    }

    /// The options, but for those that say where settings are.
    static let kinds: [String: Kind] = [
        "data": .value, "listen": .list, "no-default-socket": .flag, "health-listen": .list,
        "http-listen": .list, "http-allow-origin": .list, "http-allow-host": .list,
        "web-push": .value, "web-push-service": .list, "web-push-test": .value,
        "socket-mode": .value, "socket-group": .value, "allow-uid": .list, "tokens": .value,
        "apps-per-caller": .value, "bytes-per-caller": .value, "store-bytes-per-caller": .value,
        "insecure": .flag, "ready-fd": .value, "ready-file": .value, "exit-with-parent": .flag,
        "prompts": .value, "profile": .value, "no-auto-register": .flag, "clock": .value,
        "pending-limit": .value, "pending-policy": .value, "jitter-suppression": .value,
        "max-store-size": .value, "keep-backups": .value, "rpc-threads": .value,
        "stop-timeout": .value, "log-level": .value, "log-format": .value,
        "tls-certificate": .value, "tls-key": .value, "tls-client-ca": .value,
        "allow-certificate": .list, "exit-when-idle": .value,
    ]

    /// A setting, and where it is from.
    struct Setting {
        let option: String
        let value: String?
        let source: String

        /// The setting on a command line.
        var argument: String { value.map { "--\(option)=\($0)" } ?? "--\(option)" }
    }

    private static let kept = Guarded<ServeSettings?>(nil)

    /// The settings that the program was started with: their file may be a pipe, which can be read
    /// once.
    static var ofProgram: ServeSettings? { kept.withLock { $0 } }

    /// The settings of the file, then those of the environment.
    let all: [Setting]

    /// Makes these the settings that the program was started with.
    func keep() { Self.kept.withLock { $0 = self } }

    /// Reads the file that the command line or `BELFRY_CONFIG` names, and the environment.
    ///
    /// - Parameters:
    ///   - arguments: Those behind `serve`.
    ///   - environment: The variables.
    /// - Throws: A `ValidationError` that names the file or the variable, the setting and what is
    ///   wrong.
    init(_ arguments: [String], environment: [String: String]) throws {
        var all: [Setting] = []
        if let path = Self.file(in: arguments) ?? environment["BELFRY_CONFIG"] {
            all += try Self.settings(ofFile: path)
        }
        for (option, kind) in Self.kinds.sorted(by: { $0.key < $1.key }) {
            let name = Self.variable(of: option)
            guard let text = environment[name], !text.isEmpty else { continue }
            all += try Self.settings(option, kind, of: text, in: name)
        }
        self.all = all
    }

    static func variable(of option: String) -> String {
        "BELFRY_" + option.uppercased().replacing("-", with: "_")
    }

    /// The path that `--config` names.
    private static func file(in arguments: [String]) -> String? {
        var found: String?
        for (place, argument) in arguments.enumerated() {
            if argument == "--config", place + 1 < arguments.count {
                found = arguments[place + 1]
            } else if let path = argument.dropping("--config=") {
                found = path
            }
        }
        return found
    }

    // MARK: The environment

    private static func settings(
        _ option: String,
        _ kind: Kind,
        of text: String,
        in variable: String
    ) throws -> [Setting] {
        switch kind {
        case .value: return [Setting(option: option, value: text, source: variable)]
        case .list:
            return text.split(separator: ",").map { part in
                let value = part.trimmingCharacters(in: .whitespaces)
                return Setting(option: option, value: value, source: variable)
            }
        case .flag:
            switch text.lowercased() {
            case "1", "true", "yes", "on":
                return [Setting(option: option, value: nil, source: variable)]
            case "0", "false", "no", "off": return []
            default:
                throw ValidationError(
                    "\(variable) has to be true or false, not '\(text.printable)'"
                )
            }
        }
    }

    // MARK: The file

    /// A value in the file.
    private enum Value: Decodable {
        case flag(Bool)
        case number(String)
        case text(String)
        case list([String])
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Int.self) {
                self = .number("\(number)")
            } else if let number = try? container.decode(Double.self) {
                self = .number("\(number)")
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let list = try? container.decode([String].self) {
                self = .list(list)
            } else {
                self = .other
            }
        }
    }

    private static func settings(ofFile path: String) throws -> [Setting] {
        let object: [String: Value]
        var data = Data()
        do {
            data = try InputFile.read(path)
            object = try JSONDecoder().decode([String: Value].self, from: data)
        } catch DecodingError.typeMismatch {
            throw ValidationError("\(path): the file has to be one JSON object")
        } catch is DecodingError {
            let fault = JSONFault.syntax(of: [UInt8](data))
            throw ValidationError("\(path): \(fault?.problem ?? "it is no JSON")")
        } catch {
            throw ValidationError("\(path): \(error.reason)")
        }
        return try object.sorted { $0.key < $1.key }.flatMap { key, value in
            guard let kind = kinds[key] else {
                throw ValidationError("\(path): there is no setting \(unknown(key))")
            }
            return try settings(key, kind, of: value, in: path)
        }
    }

    private static func settings(
        _ option: String,
        _ kind: Kind,
        of value: Value,
        in path: String
    ) throws -> [Setting] {
        func setting(_ value: String?) -> Setting {
            Setting(option: option, value: value, source: path)
        }
        switch (kind, value) {
        case (.flag, .flag(let isSet)): return isSet ? [setting(nil)] : []
        case (.flag, _): throw ValidationError("\(path): \(option) has to be true or false")
        case (.value, .text(let text)), (.value, .number(let text)): return [setting(text)]
        case (.value, _): throw ValidationError("\(path): \(option) has to be a text or a number")
        case (.list, .list(let texts)): return texts.map(setting)
        case (.list, .text(let text)): return [setting(text)]
        case (.list, _): throw ValidationError("\(path): \(option) has to be a list of texts")
        }
    }

    /// A key that is no setting, and the nearest one.
    private static func unknown(_ key: String) -> String {
        let written = key.lowercased().replacing("_", with: "-")
        let near = kinds.keys.sorted().first { option in
            option == written || option.hasPrefix(written) || written.hasPrefix(option)
        }
        let name = "'\(String(key.prefix(100)).printable)'"
        return near.map { "\(name): is \($0) meant?" } ?? "\(name): see 'belfry serve --help'"
    }
}
