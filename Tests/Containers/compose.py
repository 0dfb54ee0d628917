"""A compose file as podman runs it: each service by the values of the file, in a network of its own.

Debian 12 has no program for that which works without systemd, so this one reads the part of the
format that our files use. A key that it does not know ends it: no value is passed over in silence.
"""
import json
import os
import subprocess
import time

import yaml

SUBNET = "10.231.7"
IGNORED = {
    "build",  # the image is built before
    "ports",  # reached inside of the namespace of the service
}


class ComposeError(Exception):
    """Something of a file, or of the engine, that cannot go on."""


def merged(base, other):
    """Two files as compose merges them: mappings by their keys, lists one behind the other."""
    if isinstance(base, dict) and isinstance(other, dict):
        keys = list(base) + [key for key in other if key not in base]
        return {
            key: merged(base[key], other[key]) if key in base and key in other
            else base.get(key, other.get(key)) for key in keys}
    if isinstance(base, list) and isinstance(other, list):
        return base + [item for item in other if item not in base]
    return other


def run(*command, check=True, **options):
    """A command to its end, with what it wrote to its output."""
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if check and done.returncode != 0:
        raise ComposeError(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return done.stdout.strip() if check else done


class Project:
    """The services of some compose files, in network namespaces that end with it."""

    def __init__(self, name, files, engine, limits=()):
        self.name, self.engine, self.limits = name, list(engine), list(limits)
        self.folder = os.path.dirname(os.path.abspath(files[0]))
        self.model = {}
        for path in files:
            with open(path, encoding="utf-8") as file:
                self.model = merged(self.model, yaml.safe_load(file))
        self.services = {
            name: service for name, service in self.model["services"].items()
            if not service.get("profiles")}
        names = sorted(self.services)
        self.addresses = {name: f"{SUBNET}.{10 + at}" for at, name in enumerate(names)}
        self.bridge = f"{name}-net"

    # The network

    def connect(self):
        """A namespace with a bridge, and one for each service with an address on it."""
        run("ip", "netns", "add", self.bridge)
        in_bridge = ["ip", "-n", self.bridge]
        run(*in_bridge, "link", "add", "bridge0", "type", "bridge")
        run(*in_bridge, "link", "set", "bridge0", "up")
        for at, (service, address) in enumerate(sorted(self.addresses.items())):
            space = self.space(service)
            run("ip", "netns", "add", space)
            run(*in_bridge, "link", "add", f"port{at}", "type", "veth",
                "peer", "name", "eth0", "netns", space)
            run(*in_bridge, "link", "set", f"port{at}", "master", "bridge0", "up")
            for command in (["link", "set", "lo", "up"], ["link", "set", "eth0", "up"],
                            ["address", "add", f"{address}/24", "dev", "eth0"]):
                run("ip", "-n", space, *command)

    def space(self, service):
        """The namespace of a service."""
        return f"{self.name}-{service}"

    def inside(self, service, *command, **options):
        """Runs a command of this machine where the service's ports are."""
        return run("ip", "netns", "exec", self.space(service), *command, **options)

    # The containers

    def podman(self, *words, **options):
        """The engine."""
        return run(*self.engine, *words, **options)

    def container(self, service):
        """The name of a service's container."""
        return f"{self.name}-{service}"

    def flags(self, service):
        """What the file says of a service, as options of `podman run`."""
        flags = []
        for key, value in self.services[service].items():
            if key in IGNORED or key in ("image", "depends_on", "healthcheck", "profiles",
                                         "command"):
                continue
            known = getattr(self, "flag_" + key, None)
            if known is None:
                raise ComposeError(f"{service}: the key {key} is not known")
            flags += known(value)
        return flags

    def flag_environment(self, value):
        """Variables; a value of YAML's that is no text has to be quoted in the file."""
        for name, text in value.items():
            if not isinstance(text, str):
                raise ComposeError(f"{name} is not a text")
        return [f"--env={name}={text}" for name, text in value.items()]

    def flag_secrets(self, names):
        """Files below /run/secrets."""
        paths = {
            name: os.path.join(self.folder, self.model["secrets"][name]["file"]) for name in names}
        return [f"--volume={path}:/run/secrets/{name}:ro" for name, path in paths.items()]

    def flag_volumes(self, values):
        """Files beside the compose file, and volumes that it declares."""
        flags = []
        for value in values:
            source, rest = value.split(":", 1)
            if source.startswith("."):
                source = os.path.normpath(os.path.join(self.folder, source))
            elif not source.startswith("/"):
                if source not in self.model["volumes"]:
                    raise ComposeError(f"the volume {source} is not declared")
                source = f"{self.name}-{source}"
            flags.append(f"--volume={source}:{rest}")
        return flags

    def flag_read_only(self, value):
        """The root."""
        # Compose mounts nothing more, podman would mount /tmp, /run and others.
        return ["--read-only", "--read-only-tmpfs=false"] if value else []

    def flag_tmpfs(self, values):
        """Folders in memory, empty as compose makes them: podman would copy what the image has there."""
        return [f"--tmpfs={value}{',' if ':' in value else ':'}notmpcopyup" for value in values]

    def flag_cap_drop(self, values):
        """Capabilities."""
        return [f"--cap-drop={value}" for value in values]

    def flag_security_opt(self, values):
        """Such as no-new-privileges, which podman writes in another way."""
        return [f"--security-opt={value.removesuffix(':true')}" for value in values]

    def flag_stop_grace_period(self, value):
        """How long after SIGTERM."""
        return [f"--stop-timeout={int(value.removesuffix('s'))}"]

    def flag_restart(self, value):
        """The policy."""
        return [f"--restart={value}"]

    def flag_user(self, value):
        """Who runs it."""
        return [f"--user={value}"]

    def flag_shm_size(self, value):
        """Shared memory."""
        return [f"--shm-size={value.removesuffix('b')}"]

    def flag_ulimits(self, values):
        """Limits, where this machine lets them be raised; else those that it has."""
        if self.limits:
            return []
        return [f"--ulimit={name}={one['soft']}:{one['hard']}" for name, one in values.items()]

    def start(self, service):
        """Makes a new container of a service and starts it; an old one of that name goes."""
        self.podman("rm", "--force", "--ignore", self.container(service))
        spec = self.services[service]
        hosts = [f"--add-host={name}:{address}" for name, address in self.addresses.items()]
        self.podman(
            "run", "--detach", "--pull=never", "--name", self.container(service),
            "--hostname", service, f"--network=ns:/run/netns/{self.space(service)}", *hosts,
            *self.limits, *self.flags(service), spec["image"], *spec.get("command", []))

    def up(self, *only):
        """Starts services, each when those that it depends on are as far as it says."""
        wanted = list(only) or sorted(self.services)
        started = set() if not only else set(self.services) - set(only)
        while wanted:
            ready = [name for name in wanted if set(self.needs(name)) <= started]
            if not ready:
                raise ComposeError(f"{wanted} depend on each other")
            for name in ready:
                for other, condition in self.needs(name).items():
                    if condition == "service_healthy":
                        self.healthy(other)
                self.start(name)
            started |= set(ready)
            wanted = [name for name in wanted if name not in started]
        for name in list(only) or sorted(self.services):
            self.healthy(name)

    def needs(self, service):
        """On which services it depends, and how far they have to be."""
        needs = self.services[service].get("depends_on", {})
        if isinstance(needs, list):
            return {name: "service_started" for name in needs}
        return {name: value["condition"] for name, value in needs.items()}

    def check_command(self, service):
        """The command of its health check, of the file or else of the image; None without one."""
        check = self.services[service].get("healthcheck")
        if check is None:
            image = json.loads(self.podman("image", "inspect", self.services[service]["image"]))[0]
            check = {key.lower(): value for key, value in (image.get("HealthCheck")
                     or image.get("Healthcheck") or image["Config"].get("Healthcheck") or {}).items()}
        if not check:
            return None
        kind, *command = check["test"]
        if kind != "CMD":
            raise ComposeError(f"{service}: a health check by {kind}")
        return command

    def healthy(self, service):
        """Waits until the health check of a service passes."""
        command = self.check_command(service)
        for _ in range(600):
            if not self.is_running(service):
                logs = self.podman("logs", "--tail", "30", self.container(service), check=False)
                raise ComposeError(f"{service} ended: {logs.stdout}{logs.stderr}")
            if command is None or self.podman(
                    "exec", self.container(service), *command, check=False).returncode == 0:
                return
            time.sleep(0.2)
        raise ComposeError(f"{service} did not get healthy")

    def is_running(self, service):
        """Whether its container runs."""
        return self.inspect(service, "{{.State.Running}}") == "true"

    def inspect(self, service, what):
        """A value of its container."""
        return self.podman("inspect", "--format", what, self.container(service))

    def stop(self, service):
        """As an operator does; answers the exit status."""
        self.podman("stop", self.container(service))
        return int(self.inspect(service, "{{.State.ExitCode}}"))

    def down(self):
        """Ends all, with what it stored."""
        for service in self.services:
            self.podman("rm", "--force", "--time=5", self.container(service), check=False)
        for volume in self.model.get("volumes", {}):
            self.podman("volume", "rm", "--force", f"{self.name}-{volume}", check=False)
        for space in [self.space(service) for service in self.services] + [self.bridge]:
            run("ip", "netns", "delete", space, check=False)
