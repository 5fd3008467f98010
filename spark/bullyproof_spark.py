"""The Spark side of a bullyproof search.

spark-submit runs main() in the driver. It connects to the program that makes the
search, takes one level after the other from it, and has Spark carry out the tasks
of each, by do() in the executors. States never come here: tasks and answers are
JSON with the names of files, and the program itself, shipped with the job, does
the work. It lives as long as the Python process that talks to it.
"""

import atexit
import json
import os
import socket
import struct
import subprocess
import sys
import threading

OLDEST = (3, 5)
TRIES = 4


def send(stream, kind, data):
    stream.write(struct.pack("<I", len(data) + 1) + kind + data)
    stream.flush()


def receive(stream):
    head = stream.read(4)
    if len(head) < 4:
        raise EOFError("it has ended")
    (length,) = struct.unpack("<I", head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError("it has ended")
    return data[:1], data[1:]


# In executors.

_program = None


class Program:
    """A process of the program, for one search."""

    def __init__(self, path, subject):
        self.path, self.subject = path, subject
        self.process = subprocess.Popen([path, "worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        atexit.register(self.end)
        self.ask(b"S", subject.encode())

    def ask(self, kind, data):
        try:
            send(self.process.stdin, kind, data)
            kind, data = receive(self.process.stdout)
        except (OSError, EOFError):
            self.end()
            raise EOFError("exit status %d" % self.process.returncode)
        if kind == b"E":
            raise RuntimeError(data.decode())
        return data.decode()

    def end(self):
        self.process.kill()
        self.process.wait()


def program(name, subject):
    """Returns the process of this Python process, which it starts if need be."""
    global _program
    from pyspark import SparkFiles

    path = SparkFiles.get(name)
    if _program and (_program.path, _program.subject) == (path, subject) and _program.process.poll() is None:
        return _program
    if _program:
        _program.end()
        _program = None
    if not os.path.exists(path):
        raise RuntimeError("the program is not there: %s" % path)
    os.chmod(path, 0o755)
    _program = Program(path, subject)
    return _program


def do(name, subject, task):
    """Carries out a task, by another process where one ends."""
    for left in reversed(range(TRIES)):
        try:
            return program(name, subject).ask(b"T", task.encode())
        except EOFError as e:
            if left == 0:
                raise RuntimeError("bullyproof: a worker on %s has ended, %d times in a row: %s;" % (socket.gethostname(), TRIES, e))
        except (OSError, RuntimeError) as e:
            raise RuntimeError("bullyproof: worker on %s: %s;" % (socket.gethostname(), e))


# In the driver.


class Driver:
    def __init__(self, stream):
        self.stream, self.lock = stream, threading.Lock()

    def tell(self, kind, what):
        with self.lock:
            send(self.stream, kind, json.dumps(what).encode())

    def start(self):
        import pyspark

        if tuple(int(x) for x in pyspark.__version__.split(".")[:2]) < OLDEST:
            raise RuntimeError("Spark %s is too old: want %d.%d or later" % ((pyspark.__version__,) + OLDEST))
        # A task takes all cores of an executor, so that one table has what they find.
        conf = pyspark.SparkConf()
        conf.setIfMissing("spark.task.cpus", conf.get("spark.executor.cores", "1"))
        self.sc = pyspark.SparkContext(conf=conf)
        self.sc.setLogLevel("OFF")
        first = threading.Thread(target=self.first, daemon=True)
        first.start()
        first.join(float(os.environ.get("BULLYPROOF_PATIENCE", "60")))
        if first.is_alive():
            raise RuntimeError("the master %s gives no executor" % self.sc.master)
        cores = self.sc.defaultParallelism
        threads = cores if self.sc.master.startswith("local") else int(conf.get("spark.task.cpus"))
        self.tell(b"R", {"version": pyspark.__version__, "cores": cores, "threads": threads, "ui": self.sc.uiWebUrl or ""})

    def first(self):
        self.sc.setJobDescription("executors begin")
        self.sc.parallelize([0], 1).count()

    def level(self, job):
        tasks, name, subject = job["tasks"], job["program"], job["subject"]
        self.sc.setJobGroup("level", job["name"])
        done = threading.Event()
        watch = threading.Thread(target=self.watch, args=(done,), daemon=True)
        watch.start()
        try:
            rdd = self.sc.parallelize(tasks, len(tasks)).map(lambda task: do(name, subject, task))
            answers = rdd.setName(job["name"]).collect()
        finally:
            done.set()
            watch.join()
        self.tell(b"A", answers)

    def watch(self, done):
        tracker = self.sc.statusTracker()
        while not done.wait(0.5):
            n = 0
            for stage in tracker.getActiveStageIds():
                info = tracker.getStageInfo(stage)
                n += info.numCompletedTasks if info else 0
            self.tell(b"P", n)

    def serve(self):
        jobs = []
        there = threading.Condition()

        def read():
            while True:
                try:
                    _, data = receive(self.stream)
                except (OSError, EOFError):
                    os._exit(1)  # whoever asked is gone: so is the application
                with there:
                    jobs.append(json.loads(data))
                    there.notify()

        threading.Thread(target=read, daemon=True).start()
        while True:
            with there:
                while not jobs:
                    there.wait()
                job = jobs.pop(0)
            if not job:
                self.sc.stop()
                return
            try:
                self.level(job)
            except Exception as e:
                self.tell(b"E", line(e))


def line(e):
    """Says in a line what went wrong: what a worker said, if it was one."""
    text = str(e)
    at = text.rfind("bullyproof: ")
    if at >= 0:
        return text[at + len("bullyproof: ") : text.index(";", at)]
    java = getattr(e, "java_exception", None)
    if java is not None:
        text = java.toString()
    said = [part.strip() for part in text.splitlines() if part.strip()]
    return said[0] if said else type(e).__name__


def main():
    host, port = os.environ["BULLYPROOF_DRIVER"].rsplit(":", 1)
    connection = socket.create_connection((host, int(port)))
    driver = Driver(connection.makefile("rwb"))
    driver.tell(b"H", os.environ["BULLYPROOF_TOKEN"])
    try:
        driver.start()
    except Exception as e:
        driver.tell(b"E", line(e))
        return
    driver.serve()


if __name__ == "__main__":
    # Functions of this module, and not of __main__, are sent to executors by name, and
    # keep there what is theirs: the process.
    import bullyproof_spark

    bullyproof_spark.main()
