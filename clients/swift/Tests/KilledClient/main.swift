// Fetches files through a background session until all are here; a test kills it again and again.
//     KilledClient SERVER FOLDER URL COUNT [default]
// The first run makes the tasks. Each run moves files that are finished to FOLDER, and writes a line to
// FOLDER/log for each task that it makes and each call of the delegate. With "default" each run makes COUNT tasks of a default session, and stays.
import Foundation
import LullURLSession

guard CommandLine.arguments.count >= 5, let server = URL(string: CommandLine.arguments[1]),
    let count = Int(CommandLine.arguments[4])
else { exit(2) }
let client = Client(
    server: server, folder: URL(filePath: CommandLine.arguments[2]),
    origin: CommandLine.arguments[3], count: count)
if CommandLine.arguments.last == "default" {
    try await client.stay()
} else {
    try await client.run()
}
