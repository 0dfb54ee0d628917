"""Clients that are slow on purpose, by slowhttptest, and one that is not and must not notice."""
import threading

from world import World, check


def attacks():
    with World() as world:
        world.make_file("slow.bin", 2 << 20)
        content = world.base + world.download(f"{world.origin}/slow.bin")["content"]["href"]
        common = ["-c", "400", "-r", "200", "-l", "15", "-i", "3", "-p", "3"]
        for name, options in (
                ("slow heads", ["-H", "-u", world.base + "/v1/downloads"]),
                ("slow bodies", ["-B", "-s", "8192", "-u", world.base + "/v1/downloads"]),
                ("slow readers", ["-X", "-w", "512", "-y", "1024", "-n", "5", "-z", "32",
                                  "-k", "3", "-u", content])):
            beside(world, name, ["slowhttptest", *options, *common])
        check(world.is_ready(), "lull is not ready after the attacks")
    return "400 connections each of slow heads, bodies and readers; every probe was answered"


def beside(world, name, command):
    """Runs an attack and asks as a healthy client as long as it lasts."""
    over = threading.Event()
    answers = []

    def probe():
        while not over.is_set():
            try:
                answers.append(world.get("/v1/downloads")[0])
            except OSError as failure:
                answers.append(str(failure))
            over.wait(0.1)

    prober = threading.Thread(target=probe)
    prober.start()
    try:
        printed = world.run(command, name, seconds=120)
    finally:
        over.set()
        prober.join()
    bad = [answer for answer in answers if answer != 200]
    check(answers and not bad, f"beside {name}: {len(bad)} of {len(answers)}, first {bad[:1]}")
    check("NO" not in printed.split("service available:")[-1].split("\n")[0],
          f"{name}: slowhttptest found lull away")
