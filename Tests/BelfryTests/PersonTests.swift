internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("Apps and the person before the device, by the program", .timeLimit(.minutes(5)))
struct PersonTests {
    let program: Program

    init() throws { program = try Program() }

    @Test("An app asks, waits, and is told what the person answers")
    func answer() async throws {
        let server = try await program.serve()
        let early = try await program.run("authorize", "--alert", "--wait", "0s", "--json")
        #expect(early.status == 75)
        let prompt = try Belfry_V1_RequestAuthorizationResponse(jsonString: early.output).promptID
        #expect(try await program.run("device", "answer", "keep").status == 3)
        let asking = try program.start(["authorize", "--sound"])
        let answered = try await program.run("device", "answer", "allow")
        #expect(answered.status == 0)
        #expect(answered.output.contains("authorized"))
        let told = await asking.end()
        #expect(told.status == 0)
        #expect(told.output == "org.belfry.cli may notify.\n")
        #expect(try await program.run("device", "answer", "allow").status == 3)
        let again = try await program.run("device", "answer", "deny", "--prompt", prompt)
        #expect(again.status == 1)
        #expect(again.errors.contains("PROMPT_ENDED"))
        #expect(try await program.run("device", "answer", "deny", "--prompt", "999").status == 3)
        #expect(await server.end(by: SIGTERM).status == 0)
    }

    @Test("Apps are registered, listed, changed and taken off")
    func apps() async throws {
        let server = try await program.serve("--prompts", "grant", "--no-auto-register")
        #expect(try await program.run("authorize").status == 3)
        let registered = try await program.run("register", "--name", "Tea", "--critical-alerts")
        #expect(registered.output == "org.belfry.cli is registered on local.\n")
        #expect(try await program.run("authorize").status == 0)
        let apps = try await program.run("device", "apps", "--json")
        let app = try Belfry_V1_DeviceApp(jsonString: apps.output)
        #expect(app.name == "Tea")
        #expect(app.settings.soundSetting == .enabled)
        let list = try await program.run("device", "apps")
        #expect(
            list.lines.last?.split(separator: " ").map(String.init)
                == ["org.belfry.cli", "Tea", "authorized", "0"]
        )
        let changed = try await program.run(
            "device",
            "settings",
            "--sound",
            "off",
            "--alert-style",
            "alert",
            "--previews",
            "never",
            "--grouping",
            "by-app",
            "--json"
        )
        let settings = try Belfry_V1_NotificationSettings(jsonString: changed.output)
        #expect(settings.soundSetting == .disabled)
        #expect(settings.alertStyle == .alert)
        #expect(settings.showPreviewsSetting == .never)
        #expect(settings.badgeSetting == .enabled)
        let manifest = #"{"names":[{"language":"pt","name":"Ch\u00e1"}],"language":"pt"}"#
        let file = try await program.run("register", "--file", "-", "--json", input: manifest)
        #expect(try Belfry_V1_App(jsonString: file.output).manifest.names.map(\.name) == ["Chá"])
        #expect(try await program.run("register", "--file", "-", input: "tea").status == 65)
        let gone = try await program.run("unregister")
        #expect(gone.output == "org.belfry.cli is gone.\n")
        #expect(try await program.run("unregister").status == 3)
        let none = try await program.run("device", "apps")
        #expect(none.errors == "There are no apps.\n")
        _ = await server.end(by: SIGTERM)
    }

    @Test("Categories go from a file to the server and back")
    func categories() async throws {
        let server = try await program.serveAuthorized()
        let file = #"""
            [{"identifier":"invite","actions":[{"identifier":"yes","title":"Yes"},
            {"identifier":"no","title":"No"}]},{"identifier":"other"}]
            """#
        let set = try await program.run("categories", "set", "-", input: file)
        #expect(set.output == "Set 2 categories.\n")
        let list = try await program.run("categories")
        #expect(
            list.lines.map { $0.split(separator: " ").joined(separator: " ") }
                == ["CATEGORY ACTIONS", "invite yes, no", "other"]
        )
        let json = try await program.run("categories", "list", "--json")
        #expect(json.lines.count == 2)
        let again = try await program.run("categories", "set", "-", input: json.output)
        #expect(again.status == 0)
        #expect(try await program.run("categories", "list", "--json").output == json.output)
        let third = #"{"identifier":"third","actions":[{"identifier":"yes","title":"Sure"}]}"#
        let added = try await program.run("categories", "add", "-", input: third)
        #expect(added.output == "Set 1 category.\n")
        #expect(added.errors.contains("categories[0].actions[0].identifier: "))
        let removed = try await program.run("categories", "remove", "third", "fourth")
        #expect(removed.output == "Removed third.\n")
        #expect(try await program.run("categories", "remove", "third").status == 3)
        let bad = try await program.run("categories", "set", "-", input: #"[{"identifier":7}]"#)
        #expect(bad.status == 65)
        #expect(bad.errors.contains("categories[0] is not a category"))
        let refused = try await program.run("categories", "set", "-", input: "[{}]")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("categories[0].identifier: "))
        _ = await server.end(by: SIGTERM)
    }

    @Test("Texts go from a file to the server, and show in the person's language")
    func strings() async throws {
        let server = try await program.serveAuthorized()
        let plain = #"{"tea": "Tea for %@", "more": {"one": "%u cup", "other": "%u cups"}}"#
        let set = try await program.run("strings", "set", "--language", "en", "-", input: plain)
        #expect(set.output == "Set 2 texts of org.belfry.cli in en.\n")
        let german = #"{"tea": "Tee f\u00fcr %@"}"#
        let json = try await program.run(
            "strings",
            "set",
            "--language",
            "de",
            "--json",
            "-",
            input: german
        )
        #expect(json.output == "{\"count\":1}\n")
        let added = try await program.run(
            "add",
            "Tea",
            "--title-key",
            "tea",
            "--title-arg",
            "Ann",
            "--body-key",
            "tea",
            "--body-arg",
            "-"
        )
        #expect(added.status == 0)
        let english = try await program.run("center", "--once")
        #expect(english.output.contains("Tea for Ann\n"))
        #expect(english.output.contains("Tea for -\n"))
        let removed = try await program.run("strings", "remove", "--language", "EN")
        #expect(removed.output == "org.belfry.cli has no texts in EN.\n")
        let none = try await program.run("center", "--once")
        #expect(none.output.contains("Tea\n"))
        let bad = try await program.run(
            "strings",
            "set",
            "--language",
            "en",
            "-",
            input: #"{"a": 1}"#
        )
        #expect(bad.status == 65)
        #expect(bad.errors == "belfry: -: \"a\" is neither a text nor an object of its forms\n")
        let refused = try await program.run("strings", "remove", "--language", "e")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("language: "))
        _ = await server.end(by: SIGTERM)
    }
}
