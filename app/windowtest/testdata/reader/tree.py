"""Prints what the window of the program called argv[1] tells a screen reader: role and name of everything in it."""
import sys

import pyatspi


def show(node, depth):
    print("  " * depth + node.getRoleName(), repr(node.name))
    for child in node:
        show(child, depth + 1)


for program in pyatspi.Registry.getDesktop(0):
    if program is not None and program.name == sys.argv[1]:
        show(program, 0)
