// The pictures of a run.
import Foundation

/// Draws the results of one world under each scheduler.
enum Charts {
    /// Discretionary bytes by hour over the price, a panel for each scheduler.
    static func hours(_ world: World, _ outcomes: [Outcome]) -> String {
        let panel = 110.0
        let hours = Array(World.counted.lowerBound / 60..<World.counted.upperBound / 60)
        var drawing = Drawing(width: 900, height: Double(outcomes.count) * panel + 30)
        let most = outcomes.map { $0.discretionaryBytes[hours[0]...].max() ?? 1 }.max() ?? 1
        let dearest = world.prices.max() ?? 1
        let step = 860.0 / Double(hours.count)
        for (row, outcome) in outcomes.enumerated() {
            let floor = Double(row + 1) * panel
            drawing.text(outcome.name, x: 20, y: floor - panel + 22)
            for (place, hour) in hours.enumerated() {
                let tall = 80 * outcome.discretionaryBytes[hour] / most
                drawing.bar(
                    x: 20 + Double(place) * step, y: floor - tall, width: step, height: tall,
                    World.isPeak(hour * 60) ? Drawing.colors[1] : Drawing.colors[0])
            }
            drawing.line(
                hours.enumerated().map {
                    (20 + Double($0) * step, floor - 80 * world.prices[$1] / dearest)
                }, "#444444", width: 0.6)
        }
        drawing.text(
            "bytes of discretionary downloads by hour, two weeks from Monday; orange: peak hours;"
                + " line: price", x: 20, y: Double(outcomes.count) * panel + 20)
        return drawing.svg
    }

    /// Missed deadlines against the cost, the bounds' cost being 1.
    static func trade(_ points: [(name: String, missed: Double, cost: Double)]) -> String {
        var drawing = Drawing(width: 520, height: 360)
        let worst = max(1, points.map(\.missed).max() ?? 1)
        let dearest = max(1.1, points.map(\.cost).max() ?? 1.1)
        func x(_ cost: Double) -> Double { 60 + 420 * (cost - 1) / (dearest - 1) }
        func y(_ missed: Double) -> Double { 310 - 270 * log(1 + missed) / log(1 + worst) }
        drawing.line([(60, 40), (60, 310), (480, 310)], "#444444", width: 1)
        for tick in [0.0, 1, 3, 10, 30] where tick <= worst {
            drawing.text(String(format: "%.0f %%", tick), x: 52, y: y(tick) + 4, anchor: "end")
        }
        for tick in stride(from: 1.0, through: dearest, by: 0.2) {
            drawing.text(String(format: "%.1f", tick), x: x(tick), y: 326, anchor: "middle")
        }
        for (place, point) in points.enumerated() {
            drawing.dot(x(point.cost), y(point.missed), Drawing.colors[place % 6])
            drawing.text(
                point.name, x: x(point.cost) + (point.cost > 1.5 ? -8 : 8), y: y(point.missed) - 6,
                anchor: point.cost > 1.5 ? "end" : "start")
        }
        drawing.text("cost, the cheapest possible plan = 1", x: 270, y: 346, anchor: "middle")
        drawing.text("missed complete_by", x: 60, y: 28)
        return drawing.svg
    }

    /// Hours until the begin of discretionary downloads: the share that has begun by then.
    static func waits(_ outcomes: [Outcome]) -> String {
        var drawing = Drawing(width: 520, height: 360)
        drawing.line([(60, 40), (60, 310), (480, 310)], "#444444", width: 1)
        for hour in stride(from: 0, through: 48, by: 12) {
            drawing.text(
                "\(hour) h", x: 60 + 420 * Double(hour) / 48, y: 326, anchor: "middle")
        }
        for share in [0, 50, 100] {
            drawing.text("\(share) %", x: 52, y: 314 - 2.7 * Double(share), anchor: "end")
        }
        for (place, outcome) in outcomes.enumerated() {
            let jobs = outcome.jobs.filter {
                $0.download.isDiscretionary && World.counted.contains($0.download.created)
            }
            let hours = jobs.map { Double(($0.began ?? .max) - $0.download.created) / 60 }.sorted()
            let points = hours.enumerated().filter { $1 <= 48 }.map {
                (60 + 420 * $1 / 48, 310 - 270 * Double($0 + 1) / Double(hours.count))
            }
            drawing.line(points, Drawing.colors[place % 6])
            drawing.text(outcome.name, x: 320, y: 180 + 18 * Double(place))
            drawing.bar(
                x: 300, y: 172 + 18 * Double(place), width: 12, height: 8,
                Drawing.colors[place % 6])
        }
        drawing.text("wait until the begin, discretionary", x: 270, y: 346, anchor: "middle")
        return drawing.svg
    }
}
