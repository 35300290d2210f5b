#!/usr/bin/env python3
"""Writes video.txt: cases of vabsdiff2, vabsdiff4, szext and cvt.pack (PTX ISA, 9.7), as make_instructions.py does.

  make_video.py > video.txt
"""
import itertools
import random

from make_instructions import EDGES, ONES, case, clamp, of, signed

random.seed(11)


def rows(count=24):
    values = EDGES[32] + [0x80FF7F01, 0x7FFF8000, 0x00010203]
    some = [tuple(random.choice(values) for _ in range(3)) for _ in range(count // 2)]
    return some + [tuple(random.getrandbits(32) for _ in range(3)) for _ in range(count // 2)]


def limits(kind, bits):
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind == 's' else (0, (1 << bits) - 1)


def differences():
    """Adds cases of the absolute differences of two halves or four bytes, beside each other or added to c."""
    for ways in (2, 4):
        bits = 32 // ways

        def parts(a, b):
            return [abs(of(a >> (bits * i), f'u{bits}') - of(b >> (bits * i), f'u{bits}')) for i in range(ways)]
        form = f'vabsdiff{ways}.u32.u32.u32'
        case(f'{form} %rx, %ra, %rb, %rc;', rows(), lambda a, b, c: sum(d << (bits * i) for i, d in enumerate(parts(a, b))))
        case(f'{form}.add %rx, %ra, %rb, %rc;', rows(), lambda a, b, c: c + sum(parts(a, b)))


def packing():
    """Adds cases of szext and cvt.pack."""
    for mode, kind in itertools.product(('clamp', 'wrap'), 'us'):
        def extend(a, b):
            n = min(b, 32) if mode == 'clamp' else b & 31
            return of(a, kind + str(n)) if n else 0
        case(f'szext.{mode}.{kind}32 %rx, %ra, %rb;', [(v, n) for v in EDGES[32] for n in (0, 1, 7, 8, 31, 32, 33, 40, 0xFFFFFFFF)], extend)
    for kind, bits in (('u', 16), ('s', 16), ('u', 8), ('s', 8), ('u', 4), ('s', 4), ('u', 2), ('s', 2)):
        pair = lambda a, b: (clamp(signed(a, 32), *limits(kind, bits)) % (1 << bits) << bits
                             | clamp(signed(b, 32), *limits(kind, bits)) % (1 << bits))
        some = [(a & ONES[32], b & ONES[32], c) for a, b, c in zip((0, 1, -1, 7, -8, 200, -200, 40000, -40000, 1 << 31, 127, 3),
                                                                   (5, -3, 300, 1 << 30, 65535, -1, 0, 128, -128, 2, 1, -2), (7, 0x12345678) * 6)]
        if bits == 16:
            case(f'cvt.pack.sat.{kind}16.s32 %rx, %ra, %rb; mov.b32 %rt, %rc;', some, lambda a, b, c: pair(a, b))
        else:
            case(f'cvt.pack.sat.{kind}{bits}.s32.b32 %rx, %ra, %rb, %rc;', some, lambda a, b, c: c << (2 * bits) | pair(a, b))


if __name__ == '__main__':
    print('# Written by make_video.py.')
    differences()
    packing()
