// Reads how busy this machine is, for the measured conditions.
internal import Platform
internal import Scheduling
internal import Store

/// Reads every five seconds while a rule of the policy uses it, at longer intervals if none does.
struct ConditionProbe: Duty {
    let name = "conditions"
    private let cores = Double(MachineReading.cores())
    private var hasToldMissing = false

    mutating func turn(_ worker: isolated DownloadWorker) async throws(StoreError) -> NextTurn {
        let reading = await worker.volumeLane.run { MachineReading.read() }
        let free = worker.gauge.reading?.free
        let values: [(BuiltInCondition, ConditionValue?)] = [
            (.loadPerCore, reading.load.map { .number($0 / cores) }),
            (.cpuPressure, reading.pressure.cpu.map { .number($0) }),
            (.ioPressure, reading.pressure.io.map { .number($0) }),
            (.memoryPressure, reading.pressure.memory.map { .number($0) }),
            (.diskFree, free.map { .number(Double($0)) }),
            (.power, reading.isOnBattery.map { .word($0 ? "battery" : "mains") }),
        ]
        if !hasToldMissing, reading.pressure.io == nil {
            hasToldMissing = true
            worker.log.info(
                "this system has no /proc/pressure, so the pressure conditions have their defaults")
        }
        if worker.facts.take(measured: values, at: worker.clock.now) { worker.takeConditions() }
        let uses = BuiltInCondition.allCases.filter { condition in
            condition.isMeasured && !worker.facts.conditions.uses(of: condition.rawValue).isEmpty
        }
        return uses.isEmpty ? .untilCalled : .after(worker.settings.conditionInterval)
    }
}
