"""A network of our own: every address is this machine, names come from a table, packets are counted."""
import socket
import struct
import subprocess
import threading

NAME_SERVER = "127.0.0.9"


def run(*command):
    subprocess.run(command, check=True, capture_output=True)


def set_up(own_address):
    """Makes every IPv4 and IPv6 address end on the loopback device of this namespace."""
    run("ip", "link", "set", "lo", "up")
    run("ip", "route", "add", "local", "0.0.0.0/0", "dev", "lo")
    run("ip", "-6", "route", "add", "local", "::/0", "dev", "lo")
    run("ip", "address", "add", own_address + "/32", "dev", "lo")


def mount_over(path, text, scratch):
    """Puts a file of ours over one of the system's, in this mount namespace only."""
    ours = f"{scratch}/{path.strip('/').replace('/', '-')}"
    with open(ours, "w", encoding="utf-8") as file:
        file.write(text)
    run("mount", "--bind", ours, path)


class NameServer(threading.Thread):
    """Answers from a table: name -> list of (type, value) lists, taken in turn; None stays silent."""

    TYPES = {"A": 1, "CNAME": 5, "AAAA": 28}

    def __init__(self, table):
        super().__init__(daemon=True)
        self.table = table
        self.turns = {}
        self.datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.datagrams.bind((NAME_SERVER, 53))
        self.streams = socket.create_server((NAME_SERVER, 53))
        threading.Thread(target=self.serve_streams, daemon=True).start()

    def run(self):
        while True:
            question, sender = self.datagrams.recvfrom(4096)
            answer = self.answer(question, 512)
            if answer:
                self.datagrams.sendto(answer, sender)

    def serve_streams(self):
        while True:
            connection, _ = self.streams.accept()
            threading.Thread(target=self.serve_stream, args=(connection,), daemon=True).start()

    def serve_stream(self, connection):
        connection.settimeout(10)
        with connection, connection.makefile("rb") as stream:
            while size := stream.read(2):
                answer = self.answer(stream.read(struct.unpack("!H", size)[0]), 65535)
                if answer:
                    connection.sendall(struct.pack("!H", len(answer)) + answer)

    def answer(self, question, limit):
        labels, at = [], 12
        while question[at]:
            labels.append(question[at + 1:at + 1 + question[at]].decode("latin-1"))
            at += 1 + question[at]
        kind = struct.unpack("!H", question[at + 1:at + 3])[0]
        name = ".".join(labels).lower()
        asked = question[12:at + 5]
        if name in self.table and self.table[name] is None:
            return None
        if name == "servfail.test":
            return question[:2] + b"\x81\x82" + b"\0\1\0\0\0\0\0\0" + asked
        if name not in self.table:
            return question[:2] + b"\x81\x83" + b"\0\1\0\0\0\0\0\0" + asked
        records = b""
        count = 0
        for record, value in self.choice(name, kind):
            if self.TYPES[record] not in (kind, 5):
                continue
            if record == "A":
                data = socket.inet_aton(value)
            elif record == "AAAA":
                data = socket.inet_pton(socket.AF_INET6, value)
            else:
                data = b"".join(bytes([len(p)]) + p.encode() for p in value.split(".")) + b"\0"
            owner = b"\xc0\x0c"
            if records and "CNAME" in [r for r, _ in self.table[name][0]]:
                target = self.table[name][0][0][1]
                owner = b"".join(bytes([len(p)]) + p.encode() for p in target.split(".")) + b"\0"
            records += owner + struct.pack("!HHIH", self.TYPES[record], 1, 0, len(data)) + data
            count += 1
        head = question[:2] + b"\x81\x80" + struct.pack("!HHHH", 1, count, 0, 0)
        whole = head + asked + records
        if len(whole) > limit:
            return question[:2] + b"\x83\x80" + struct.pack("!HHHH", 1, 0, 0, 0) + asked
        return whole

    def choice(self, name, kind):
        sets = self.table[name]
        turn = self.turns.get((name, kind), 0)
        self.turns[(name, kind)] = turn + 1
        return sets[turn % len(sets)]


class Sniffer(threading.Thread):
    """Notes every address and port that a TCP connection is begun to, answered or not."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
        self.socket.bind(("lo", 0))
        self.begun = set()

    def run(self):
        while True:
            packet = self.socket.recv(128)
            if packet[0] >> 4 == 4 and packet[9] == 6:
                at = (packet[0] & 15) * 4
                target = socket.inet_ntop(socket.AF_INET, packet[16:20])
            elif packet[0] >> 4 == 6 and packet[6] == 6:
                at, target = 40, socket.inet_ntop(socket.AF_INET6, packet[24:40])
            else:
                continue
            if packet[at + 13] & 0x12 == 0x02:
                self.begun.add((target, struct.unpack("!H", packet[at + 2:at + 4])[0]))
