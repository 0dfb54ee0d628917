"""The least cost and the least bytes at peak that any plan could reach: a linear program.

Reads the worlds that `Fortnight dump FOLDER SEEDS UTILISATION...` wrote, prints the bounds as JSON:
for each world the cost of the cheapest plan, and the bytes at peak of the plan with the fewest,
both in the units of the table. A plan gives each discretionary download its bytes in the hours
from its creation to its deadline; it knows all, may stop and go on without loss, and misses no
deadline that preemptive EDF does not miss. Undated downloads have two days.

Needs scipy (HiGHS): the numbers stand in bounds.json, so that nothing else does.
"""
import json
import pathlib
import sys

import numpy
from scipy.optimize import linprog
from scipy.sparse import coo_array, hstack, vstack


def bounds(world):
    """The two optima of one world."""
    hours = world["hours"]
    plan = [
        (place, hour, share)
        for place, item in enumerate(world["downloads"])
        for hour, share in open_hours(item, hours)
    ]
    items = world["downloads"]
    sizes = numpy.array([item["bytes"] for item in items])
    # A variable is the gigabytes of a download in an hour; its bound is the rate of one transfer.
    rates = numpy.array([world["rates"][items[d]["origin"]][h] for d, h, _ in plan])
    upper = numpy.array([rate * share / 1e9 for rate, (_, _, share) in zip(rates, plan)])
    column = numpy.arange(len(plan))
    downloads = numpy.array([d for d, _, _ in plan])
    hour = numpy.array([h for _, h, _ in plan])
    origin = numpy.array([items[d]["origin"] for d, _, _ in plan])

    link = coo_array((numpy.ones(len(plan)), (hour, column)), shape=(hours, len(plan)))
    # The share of an hour for which a slot is taken.
    taken = numpy.where(rates > 0, 1e9 / numpy.maximum(rates, 1), 0)
    slots = coo_array((taken, (hour, column)), shape=(hours, len(plan)))
    origins = len(world["rates"])
    gates = coo_array(
        (taken, (hour * origins + origin, column)), shape=(hours * origins, len(plan)))
    whole = coo_array((numpy.ones(len(plan)), (downloads, column)), shape=(len(items), len(plan)))
    # Bytes that cannot be carried in time at these capacities have a high price; they are not
    # impossible.
    missing = coo_array(
        (numpy.ones(len(items)), (range(len(items)), range(len(items)))),
        shape=(len(items), len(items)))
    empty = {rows: coo_array((rows, len(items))) for rows in (hours, hours * origins)}
    limits = vstack([
        hstack([link, empty[hours]]), hstack([slots, empty[hours]]),
        hstack([gates, empty[hours * origins]])]).tocsr()
    room = numpy.concatenate([
        numpy.array(world["link"]) / 1e9, numpy.full(hours, world["slots"]),
        numpy.full(hours * origins, world["perOrigin"])])
    demand = hstack([whole, missing]).tocsr()
    result = {}
    prices = numpy.array(world["prices"])
    peak = numpy.array(world["isPeak"], dtype=float)
    # Of the plans with equally few bytes at peak the cheapest counts.
    for name, price in (("cost", prices), ("peak", peak + prices / 1e4)):
        weight = numpy.concatenate([price[hour], numpy.full(len(items), 1e3)])
        done = linprog(
            weight, A_ub=limits, b_ub=room, A_eq=demand, b_eq=sizes / 1e9,
            bounds=numpy.stack([
                numpy.zeros(len(plan) + len(items)),
                numpy.concatenate([upper, sizes / 1e9])], axis=1),
            method="highs")
        if done.status != 0:
            raise SystemExit(f"no optimum: {done.message}")
        left = done.x[len(plan):].sum()
        amounts = done.x[:len(plan)]
        result[name] = float(((prices if name == "cost" else peak)[hour] * amounts).sum())
        result[name + "_left"] = float(left)
        result["other_" + name] = float(((peak if name == "cost" else prices)[hour] * amounts).sum())
    total = float(sizes.sum() / 1e9)
    return {
        "seed": world["seed"], "utilisation": world["utilisation"], "gigabytes": round(total, 3),
        "cost": round(result["cost"], 4), "peak": round(100 * result["peak"] / total, 3),
        "cost_of_least_peak": round(result["other_peak"], 4),
        "peak_of_least_cost": round(100 * result["other_cost"] / total, 3),
        "left": round(max(result["cost_left"], result["peak_left"]), 3),
    }


def open_hours(item, hours):
    """The hours between creation and deadline, and the share of each that lies between them."""
    begin = item["created"]
    end = item["completeBy"] if item.get("completeBy") is not None else begin + 48 * 60
    for hour in range(begin // 60, min(hours, (end + 59) // 60)):
        first, last = max(begin, hour * 60), min(end, hour * 60 + 60)
        if last > first:
            yield hour, (last - first) / 60


def main(folder):
    """Every world of a folder, in the order of utilisation and seed."""
    found = []
    for path in sorted(pathlib.Path(folder).glob("world-*.json")):
        found.append(bounds(json.loads(path.read_text())))
        print(json.dumps(found[-1]), file=sys.stderr)
    found.sort(key=lambda bound: (bound["utilisation"], bound["seed"]))
    print("[\n" + ",\n".join(json.dumps(bound) for bound in found) + "\n]")


if __name__ == "__main__":
    main(*sys.argv[1:])
