#!/usr/bin/env python3
"""Writes video.txt: cases of the video instructions (PTX ISA, 9.7.17), as make_instructions.py does.

  make_video.py > video.txt
"""
import itertools
import random

from make_instructions import EDGES, ONES, case, clamp, of, signed

random.seed(11)
OPS = {'add': lambda a, b: a + b, 'sub': lambda a, b: a - b, 'absdiff': lambda a, b: abs(a - b),
       'min': min, 'max': max}
COMPARE = {'eq': lambda a, b: a == b, 'ne': lambda a, b: a != b, 'lt': lambda a, b: a < b,
           'le': lambda a, b: a <= b, 'gt': lambda a, b: a > b, 'ge': lambda a, b: a >= b}


def rows(count=12):
    values = EDGES[32] + [0x80FF7F01, 0x7FFF8000, 0x00010203]
    some = [tuple(random.choice(values) for _ in range(3)) for _ in range(count // 2)]
    return some + [tuple(random.getrandbits(32) for _ in range(3)) for _ in range(count // 2)]


def part(value, select, kind):
    """Returns a byte, half-word or word of a register, as u or s."""
    if not select:
        return of(value, kind + '32')
    bits = 8 if select[1] == 'b' else 16
    return of(value >> (bits * int(select[2])), kind + str(bits))


def limits(kind, bits):
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind == 's' else (0, (1 << bits) - 1)


def finish(result, c, kind, sat, select, second):
    """Applies saturation, and then the secondary operation or the merge with c."""
    bits = {'': 32, 'b': 8, 'h': 16}[select[1:2]]
    if sat:
        result = clamp(result, *limits(kind, bits))
    if second:
        x, y = of(result, kind + '32'), of(c, kind + '32')
        return {'add': x + y, 'min': min(x, y), 'max': max(x, y)}[second]
    if not select:
        return result
    mask = ((1 << bits) - 1) << (bits * int(select[2]))
    return c & ~mask | (result << (bits * int(select[2]))) & mask


def scalar():
    selects = ['', '.b0', '.b3', '.h1', '.h0', '.b2', '.b1']
    kinds = list(itertools.product('us', 'us', 'us'))
    for name, f in OPS.items():
        for n, (d, a, b) in enumerate(kinds):
            for m, (sat, second, to) in enumerate([('', '', ''), ('.sat', '', ''), ('', 'add', ''), ('.sat', 'min', ''),
                                                   ('.sat', 'max', ''), ('', '', '.b1'), ('.sat', '', '.h1'), ('.sat', '', '.b2')]):
                if (n + m) % 2 and name != 'absdiff':
                    continue  # half of the combinations are enough
                if sat and to:
                    continue  # what an H200 gives is not what the ISA says: refused
                x, y = selects[(n + m) % 7], selects[(3 * n + m + 1) % 7]
                c = ', %rc' if second or to else ''
                case(f'v{name}.{d}32.{a}32.{b}32{sat}{"." + second if second else ""} %rx{to}, %ra{x}, %rb{y}{c or "; mov.b32 %rt, %rc"};',
                     rows(), lambda p, q, r: finish(f(part(p, x, a), part(q, y, b)), r, d, sat, to, second))
    amounts = [(v, n, 5) for v in EDGES[32][3:] for n in (0, 1, 7, 31, 32, 33, 255, 0xFFFFFFFF)]
    for name, (d, a), mode in itertools.product(('shl', 'shr'), itertools.product('us', 'us'), ('clamp', 'wrap')):
        for sat, x, y in (('', '', ''), ('', '.h1', '.b0')):  # .sat is refused too
            def shift(p, q, r):
                n = part(q, y, 'u')
                n = min(n, 32) if mode == 'clamp' else n & 31
                v = part(p, x, a)
                return finish(v << n if name == 'shl' else v >> n, r, d, sat, '', '')
            case(f'v{name}.{d}32.{a}32.u32{sat}.{mode} %rx, %ra{x}, %rb{y}; mov.b32 %rt, %rc;', amounts, shift)
    for (name, f), (a, b) in zip(COMPARE.items(), itertools.cycle(itertools.product('us', 'us'))):
        for second, to in (('', ''), ('add', ''), ('max', '')):
            c = ', %rc' if second or to else '; mov.b32 %rt, %rc'
            case(f'vset.{a}32.{b}32.{name}{"." + second if second else ""} %rx{to}, %ra.h0, %rb.b1{c};', rows(),
                 lambda p, q, r: finish(int(f(part(p, '.h0', a), part(q, '.b1', b))), r, a, '', to, second))


def simd():
    """Adds cases with two halves or four bytes of a and b at once; .mask says which of them the result takes."""
    ops = dict(OPS, avrg=lambda a, b: (a + b + (a + b >= 0)) >> 1)
    for ways in (2, 4):
        bits, letter = 32 // ways, {2: 'h', 4: 'b'}[ways]
        first = ''.join(str(i) for i in reversed(range(ways)))
        second = ''.join(str(i) for i in reversed(range(ways, 2 * ways)))
        masks = {2: ['', '.h0', '.h1'], 4: ['', '.b0', '.b31', '.b210']}[ways]
        picks = {2: [('', ''), ('.h10', '.h32'), ('.h03', '.h21')], 4: [('', ''), ('.b3210', '.b7654'), ('.b0407', '.b6251')]}[ways]

        def lanes(p, q, select, kind, default):
            whole, chosen = q << 32 | p, select[2:] or default
            return [of(whole >> (bits * int(i)), kind + str(bits)) for i in reversed(chosen)]

        def close(results, c, mask, kind, sat, add):
            taken = [str(i) in (mask[2:] or first) for i in range(ways)]
            if sat:
                results = [clamp(v, *limits(kind, bits)) for v in results]
            if add:
                return c + sum(v for v, t in zip(results, taken) if t)
            return sum((v if t else c >> (bits * i)) % (1 << bits) << (bits * i)
                       for i, (v, t) in enumerate(zip(results, taken)))
        for n, ((name, f), (d, a, b)) in enumerate(itertools.product(ops.items(), itertools.product('us', 'us', 'us'))):
            for m, (sat, add) in enumerate((('', ''), ('.sat', ''), ('', '.add'))):
                mask, (x, y) = masks[(n + m) % len(masks)], picks[(n + m) % 3]
                case(f'v{name}{ways}.{d}32.{a}32.{b}32{sat}{add} %rx{mask}, %ra{x}, %rb{y}, %rc;', rows(),
                     lambda p, q, r: close([f(v, w) for v, w in zip(lanes(p, q, x, a, first), lanes(p, q, y, b, second))],
                                           r, mask, d, sat, add))
        for n, ((name, f), (a, b)) in enumerate(itertools.product(COMPARE.items(), itertools.product('us', 'us'))):
            for add in ('', '.add'):
                mask, (x, y) = masks[n % len(masks)], picks[n % 3]
                case(f'vset{ways}.{a}32.{b}32.{name}{add} %rx{mask}, %ra{x}, %rb{y}, %rc;', rows(),
                     lambda p, q, r: close([int(f(v, w)) for v, w in zip(lanes(p, q, x, a, first), lanes(p, q, y, b, second))],
                                           r, mask, 'u', '', add))


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
    scalar()
    simd()
    packing()
