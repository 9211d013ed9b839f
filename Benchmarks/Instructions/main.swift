internal import Dispatch
internal import Glibc

// Does the same work in every run, for callgrind to count. Without an argument it prints the names
// of the scenarios; with a name it runs that scenario, and prints by how many items the counts are
// to be divided.

guard CommandLine.arguments.count > 1 else {
    for scenario in scenarios { print(scenario.name) }
    exit(0)
}
guard let scenario = scenarios.first(where: { $0.name == CommandLine.arguments[1] }) else {
    fatalError("there is no scenario \(CommandLine.arguments[1])")
}
// Wait on a semaphore: an asynchronous main program leaves its first thread to a wait that valgrind
// does not bear.
let end = DispatchSemaphore(value: 0)
Task.detached {
    do {
        print(try await scenario.run())
    } catch {
        fatalError("\(error)")
    }
    end.signal()
}
end.wait()
