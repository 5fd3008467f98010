"""As much of Spark as the driver asks for: it does everything in this process."""

import os
import threading

fake = os.environ["FAKE"]
__version__ = "2.4.8" if fake == "old" else "4.0.1"


class SparkFiles:
    @staticmethod
    def get(name):
        if fake == "not shipped":
            return "/nowhere/" + name
        return os.path.join(os.getcwd(), name)


class RDD:
    def __init__(self, items):
        self.items = items

    def map(self, f):
        return RDD([f(x) for x in self.items])

    def setName(self, name):
        return self

    def collect(self):
        return self.items

    def count(self):
        if fake == "no executors":
            threading.Event().wait()
        return len(self.items)


class Tracker:
    def getActiveStageIds(self):
        return []


class SparkConf(dict):
    def setIfMissing(self, key, value):
        self.setdefault(key, value)


class SparkContext:
    defaultParallelism = 2
    uiWebUrl = None
    master = "local[2]"

    def __init__(self, conf):
        if fake == "refused":
            raise RuntimeError("the queue is full\nand more")

    def setLogLevel(self, level):
        pass

    def setJobDescription(self, text):
        pass

    def setJobGroup(self, group, text):
        pass

    def parallelize(self, items, parts):
        return RDD(items)

    def statusTracker(self):
        return Tracker()

    def stop(self):
        pass
