#!/usr/bin/env python3
"""Writes packed.txt: cases of add, min and max of two 16-bit integers in a register (PTX ISA, 9.7.1), as
make_instructions.py does.

  make_packed.py > packed.txt

Not yet run on a GPU: `check_instructions.py packed.txt` does.
"""
import random

from make_instructions import EDGES, case, of

random.seed(17)
OPERATIONS = {'add': lambda x, y: x + y, 'min': min, 'max': max}


def rows():
    """Returns every pair of edges as the low half, with the same pairs in another order as the high half, and then any bits."""
    low = [(a, b) for a in EDGES[16] for b in EDGES[16]]
    high = random.sample(low, len(low))
    return [(c << 16 | a, d << 16 | b) for (a, b), (c, d) in zip(low, high)] + [
        (random.getrandbits(32), random.getrandbits(32)) for _ in range(48)]


def halves(f, kind):
    def both(a, b):
        low, high = (f(of(a >> at, kind), of(b >> at, kind)) & 0xFFFF for at in (0, 16))
        return high << 16 | low
    return both


if __name__ == '__main__':
    print('# Written by make_packed.py. By the definitions of the PTX ISA; not yet run on a GPU.')
    for name, f in OPERATIONS.items():
        for kind in ('u16', 's16'):
            case(f'{name}.{kind}x2 %rx, %ra, %rb;', rows(), halves(f, kind))
    for name in ('min', 'max'):
        case(f'{name}.s16x2.relu %rx, %ra, %rb;', rows(), halves(lambda x, y, f=OPERATIONS[name]: max(0, f(x, y)), 's16'))
