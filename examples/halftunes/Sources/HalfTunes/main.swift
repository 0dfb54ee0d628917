// Half Tunes on a server: its page is at http://127.0.0.1:PORT/.
//     LULL_SERVER=http://127.0.0.1:8080 CATALOGUE=http://127.0.0.1:8100 PORT=8200 FOLDER=music swift run
import Foundation

let settings = ProcessInfo.processInfo.environment
guard let catalogue = settings["CATALOGUE"], let port = settings["PORT"].flatMap(UInt16.init),
    let folder = settings["FOLDER"]
else {
    print("CATALOGUE, PORT and FOLDER are needed")
    exit(2)
}
let tunes = try Tunes(catalogue: catalogue, folder: URL(filePath: folder))
let site = Site(tunes: tunes)
print("Half Tunes is at http://127.0.0.1:\(port)/")
try Listener(port: port).serve { site.answer($0) }
