"""Several hosts on one machine, made of Linux namespaces: each has a network, a name, processes, temporary files and
shared memory of its own; files are shared, as on a cluster.

A host is the process that is the first of its namespaces; whatever runs there ends with it, and nothing in the system
bears its name, so that nothing can be left behind. It serves `agent COMMAND` of other hosts over its network, as an SSH
server does, and forgets about a command once it has ended. The hosts' links end in a bridge, where they can be cut.
"""

import contextlib
import functools
import os
import pathlib
import re
import shutil
import signal
import socket
import socketserver
import stat
import subprocess
import sys
import time

PORT = 22
NAMES = ("alpha", "beta", "gamma")
NAMESPACES = ("net", "uts", "ipc", "mnt", "pid")
PASSED_ON = "LIPIZZ_TEST_MARK"  # by which launch.py knows the processes of a run
READY = "ready\n"
PATIENCE_S = 30
TO_LEAVE_S = 60  # far beyond twice the silence after which a worker is given up
CONNECTION_S = 5  # as SSH's ConnectTimeout


@functools.cache
def why_not():
    """Why there can be no hosts here; nothing where there can."""
    missing = [name for name in ("ip", "unshare", "nsenter", "setpriv", "mount") if shutil.which(name) is None]
    if missing:
        return f"hosts of namespaces need {', '.join(missing)}"
    # A mount as well, which containers of unprivileged users may not make.
    trial = subprocess.run(["unshare", *(f"--{name}" for name in ("net", "uts", "ipc", "mount", "pid")), "--fork",
                            "--mount-proc", "ip", "link", "set", "lo", "up"], capture_output=True, text=True, check=False)
    return f"hosts of namespaces need root: {trial.stderr.strip()}" if trial.returncode else ""


def run(*command):
    subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True)


def ended_with_us(*command):
    return ["setpriv", "--pdeathsig", "KILL", *map(str, command)]


class Host:
    def __init__(self, name, switch, local, names, agent):
        self.name = name
        self._switch = switch
        self._local = local
        serve = [sys.executable, "-B", __file__, "serve", name, local, names]
        # Its processes look for their temporary files where they are their own.
        environment = {**os.environ, "TMPDIR": str(local), "OMPI_MCA_plm_rsh_agent": str(agent)}
        self._unshare = subprocess.Popen(
            ended_with_us("unshare", "--net", "--uts", "--ipc", "--mount", "--pid", "--fork", "--kill-child",
                          "--mount-proc", *serve), env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        if self._unshare.stdout.readline() != READY:  # but for its link
            raise AssertionError(f"no host: {self._unshare.communicate()[0]}")
        self._first = int(pathlib.Path(f"/proc/{self._unshare.pid}/task/{self._unshare.pid}/children").read_text())

    def plug_in(self, address):
        in_switch = ["nsenter", f"--net=/proc/{self._switch}/ns/net", "ip"]
        run(*in_switch, "link", "add", self.name, "type", "veth", "peer", "name", "eth0", "netns", self._first)
        run(*in_switch, "link", "set", self.name, "master", "bridge", "up")
        run(*self.enter(), "ip", "address", "add", f"{address}/24", "dev", "eth0")
        run(*self.enter(), "ip", "link", "set", "eth0", "up")

    def enter(self):
        """What stands before a command that is to run there, in the present folder."""
        return ["nsenter", "--target", self._first, "--net", "--uts", "--ipc", "--mount", "--pid",
                f"--wdns={os.getcwd()}"]

    def cut(self):
        self._set_link("down")

    def connect(self):
        self._set_link("up")

    def kill(self):
        """Ends all its processes, in whatever order the kernel likes; it never comes back."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._first, signal.SIGKILL)
        self._unshare.wait(PATIENCE_S)
        self._unshare.stdout.close()

    def is_alive(self):
        return self._unshare.poll() is None

    def processes(self):
        """Those that run there, but for the one that is the host."""
        found = []
        own = os.readlink(f"/proc/{self._first}/ns/pid")
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if os.readlink(folder / "ns/pid") == own and (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
        found.remove(self._first)
        return found

    def ranks(self):
        found = []
        for process in self.processes():
            with contextlib.suppress(OSError):
                environment = pathlib.Path(f"/proc/{process}/environ").read_bytes()
                found += re.findall(rb"\0OMPI_COMM_WORLD_RANK=(\d+)\0", environment)
        return sorted(map(int, found))

    def files(self):
        """Names in its shared memory and in its folder for temporary files."""
        root = pathlib.Path(f"/proc/{self._first}/root")
        return sorted(path.name for folder in ("/dev/shm", str(self._local))
                      for path in (root / folder.lstrip("/")).iterdir())

    def _set_link(self, state):
        run("nsenter", f"--net=/proc/{self._switch}/ns/net", "ip", "link", "set", self.name, state)


class Hosts:
    """Three hosts that share `folder`; use as a context, which ends them."""

    def __init__(self, folder):
        self._folder = folder
        self._exit = contextlib.ExitStack()
        self.hosts = {}

    def __enter__(self):
        with contextlib.ExitStack() as building:
            self._make(building)
            self._exit = building.pop_all()
        return self

    def __exit__(self, *_):
        self._exit.close()

    def __getitem__(self, name):
        return self.hosts[name]

    def __iter__(self):
        return iter(self.hosts.values())

    def _make(self, building):
        own = self._folder / "hosts"
        local = own / "local"
        local.mkdir(parents=True)
        building.callback(shutil.rmtree, own)
        addresses = {name: f"10.0.0.{number}" for number, name in enumerate(NAMES, 1)}
        (own / "names").write_text("127.0.0.1 localhost\n" + "".join(
            f"{address} {name}\n" for name, address in addresses.items()))
        agent = own / "agent"
        agent.write_text(f'#!/bin/sh\nexec {sys.executable} -B {__file__} agent "$@"\n')
        agent.chmod(agent.stat().st_mode | stat.S_IXUSR)
        switch = subprocess.Popen(ended_with_us("unshare", "--net", "sh", "-c",
                                                "ip link add bridge type bridge && ip link set bridge up && echo && "
                                                "exec sleep infinity"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        building.enter_context(switch)
        building.callback(switch.kill)
        switch.stdout.readline()
        for name, address in addresses.items():
            self.hosts[name] = Host(name, switch.pid, local, own / "names", agent)
            building.callback(self.hosts[name].kill)
            self.hosts[name].plug_in(address)

    def command(self, *words):
        """Runs on the first host, without what launch.py asks of a machine that it shares with others."""
        first = self.hosts[NAMES[0]]
        return [*map(str, first.enter()), "env", "-u", "OMPI_MCA_btl_vader_backing_directory",
                f"TMPDIR={self._folder / 'hosts' / 'local'}",
                f"OMPI_MCA_plm_rsh_agent={self._folder / 'hosts' / 'agent'}", *map(str, words)]

    def places(self, n_ranks):
        """What --host wants to hear."""
        return ",".join(f"{name}:{n_ranks}" for name in self.hosts)

    def cut_for_ever(self, name):
        """The ranks that the first host does not reach any more have to leave by themselves. What Open MPI leaves running
        beside them waits for minutes, and goes with the host."""
        self.hosts[name].cut()
        cut_off = NAMES[1:] if name == NAMES[0] else [name]
        end = time.monotonic() + TO_LEAVE_S
        while left := {each: ranks for each in cut_off if (ranks := self.hosts[each].ranks())}:
            if time.monotonic() > end:
                raise AssertionError(f"ranks that are cut off stay: {left}")
            time.sleep(0.1)
        for each in cut_off:
            self.hosts[each].kill()

    def left(self):
        """What is left on hosts that live, as soon as nothing is, or else after a while."""
        end = time.monotonic() + PATIENCE_S
        while (found := self._left_now()) and time.monotonic() < end:
            time.sleep(0.1)
        return found

    def _left_now(self):
        return {host.name: (host.processes(), host.files()) for host in self.hosts.values()
                if host.is_alive() and (host.processes() or host.files())}


class Server(socketserver.ForkingTCPServer):
    """The first process of a host, which has to look after those that lost their parents, too."""

    allow_reuse_address = True
    max_children = 1000

    def service_actions(self):
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        super().service_actions()


class Command(socketserver.StreamRequestHandler):
    """A line with the mark, one with the command; back goes what it prints, and its exit code as the last byte."""

    def handle(self):
        mark, command = (self.rfile.readline().decode().rstrip("\n") for _ in range(2))
        with subprocess.Popen(["sh", "-c", command], env={**os.environ, PASSED_ON: mark}, stdin=subprocess.DEVNULL,
                              stdout=self.connection, stderr=subprocess.STDOUT) as process:
            code = process.wait()
        with contextlib.suppress(OSError):
            self.connection.sendall(bytes([code % 256]))


def serve(name, local, names):
    socket.sethostname(name)
    for folder in (local, "/dev/shm"):
        run("mount", "-t", "tmpfs", "none", folder)
    run("mount", "--bind", names, "/etc/hosts")
    run("ip", "link", "set", "lo", "up")
    with Server(("0.0.0.0", PORT), Command) as server:
        print(READY, end="", flush=True)
        server.serve_forever(0.1)


def agent(host, *words):
    with socket.create_connection((host, PORT), CONNECTION_S) as connection:
        connection.settimeout(None)
        connection.sendall(f"{os.environ.get(PASSED_ON, '')}\n{' '.join(words)}\n".encode())
        last = b""
        while received := connection.recv(65536):
            sys.stdout.buffer.write(last + received[:-1])
            sys.stdout.buffer.flush()
            last = received[-1:]
    return last[0] if last else 255


if __name__ == "__main__":
    sys.exit({"serve": serve, "agent": agent}[sys.argv[1]](*sys.argv[2:]))
