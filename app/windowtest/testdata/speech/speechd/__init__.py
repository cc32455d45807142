"""Stands in for the module of speech-dispatcher, by which Orca speaks: what is said is written to the file $SPOKEN, a line
each. That takes no time but where Orca waits for the end: when it says all, it moves the caret along with what was said."""

import os
import re
import threading

SAYING = 0.5  # seconds for a sentence


class SSIPCommunicationError(Exception):
    pass


class Priority:
    MESSAGE = "message"


class PunctuationMode:
    ALL, MOST, SOME, NONE = "all", "most", "some", "none"


class DataMode:
    SSML = "ssml"


class CallbackType:
    INDEX_MARK, BEGIN, END, CANCEL = "index_mark", "begin", "end", "cancel"


class SSIPClient:
    def __init__(self, name, component="default", **rest):
        self.out = open(os.environ["SPOKEN"], "a", buffering=1)

    def write(self, text):
        self.out.write(" ".join(text.split()) + "\n")

    def speak(self, text, callback=None, event_types=None):
        text = re.sub("<[^>]*>", "", text)
        for entity, char in ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"):
            text = text.replace(entity, char)
        self.write(text)
        if callback:
            callback(CallbackType.BEGIN)
            threading.Timer(SAYING, callback, [CallbackType.END]).start()

    def char(self, text):
        self.write(text)

    def list_output_modules(self):
        return ()

    def list_synthesis_voices(self):
        return ()

    def close(self):
        self.out.close()

    def __getattr__(self, name):
        if name == "cancel" or name.startswith(("set_", "get_")):
            return lambda *args, **rest: None
        raise AttributeError(name)
