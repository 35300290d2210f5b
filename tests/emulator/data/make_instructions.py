#!/usr/bin/env python3
"""Writes instructions.txt: PTX one-liners with inputs and the bits that they have to give.

The results are computed here from the definitions of the PTX ISA (chapter 9), on whole numbers and
fractions of any size, so that they share nothing with the emulator.

  make_instructions.py > instructions.txt
"""
import itertools
import math
import random
import re
from fractions import Fraction

random.seed(7)
F16, BF16, F32, F64 = (5, 10), (8, 7), (8, 23), (11, 52)
CANONICAL = {F16: 0x7FFF, BF16: 0x7FFF, F32: 0x7FFFFFFF, F64: 'nan'}
ONES = {8: 0xFF, 16: 0xFFFF, 32: 0xFFFFFFFF, 64: 0xFFFFFFFFFFFFFFFF}
REGISTER = re.compile(r'%([hrlp])([a-ew-z])\b')


def widths(text):
    """Registers %{h,r,l,p}{a..e} are inputs, %{h,r,l,p}{w..z} outputs: 16, 32, 64 bits, predicate."""
    found = sorted(set(REGISTER.findall(text)), key=lambda r: r[1])
    ins = [f'{k}{n}' for k, n in found if n < 'w']
    outs = [f'{k}{n}' for k, n in found if n >= 'w']
    return ins, outs


def case(text, rows, model, flag=''):
    ins, outs = widths(text)
    print(f'={flag} {text}')
    for row in rows:
        row = row if isinstance(row, tuple) else (row,)
        results = model(*row)
        results = results if isinstance(results, tuple) else (results,)
        assert len(row) == len(ins) and len(results) == len(outs), (text, row, results, ins, outs)
        bits = {'h': 16, 'r': 32, 'l': 64, 'p': 32}
        words = [f'{v & ONES[bits[r[0]]]:x}' for v, r in zip(row, ins)]
        got = [v if isinstance(v, str) else f'{int(v) & ONES[bits[r[0]]]:x}'
               for v, r in zip(results, outs)]
        print(' '.join(words), '->', ' '.join(got))


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def of(value, kind):
    bits = int(kind[1:])
    return signed(value, bits) if kind[0] == 's' else value & ((1 << bits) - 1)


LETTER = {16: 'h', 32: 'r', 64: 'l'}
EDGES = {b: [0, 1, 2, 3, (1 << (b - 1)) - 1, 1 << (b - 1), (1 << b) - 1, 0x123456789ABCDEF5 >> (64 - b),
             0xDEADBEEFCAFEF00D >> (64 - b)] for b in (8, 16, 32, 64)}


def pairs(bits):
    return list(itertools.product(EDGES[bits], EDGES[bits]))


def triples(bits, count=96, third=None):
    third = third or EDGES[bits]
    some = [(random.choice(EDGES[bits]), random.choice(EDGES[bits]), random.choice(third))
            for _ in range(count // 2)]
    return some + [(random.getrandbits(bits), random.getrandbits(bits), random.choice(third))
                   for _ in range(count // 2)]


def clamp(value, low, high):
    return max(low, min(high, value))


def quotient(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


# ---------------------------------------------------------------- whole numbers
def integers():
    kinds = ['u16', 's16', 'u32', 's32', 'u64', 's64']
    for kind in kinds:
        b = int(kind[1:])
        r = LETTER[b]
        two = f'%{r}x, %{r}a, %{r}b;'
        three = f'%{r}x, %{r}a, %{r}b, %{r}c;'
        ints = lambda f: lambda *v: f(*(of(x, kind) for x in v))
        case(f'add.{kind} {two}', pairs(b), ints(lambda x, y: x + y))
        case(f'sub.{kind} {two}', pairs(b), ints(lambda x, y: x - y))
        case(f'mul.lo.{kind} {two}', pairs(b), ints(lambda x, y: x * y))
        case(f'mul.hi.{kind} {two}', pairs(b), ints(lambda x, y: x * y >> b))
        case(f'mad.lo.{kind} {three}', triples(b), ints(lambda x, y, z: x * y + z))
        case(f'mad.hi.{kind} {three}', triples(b), ints(lambda x, y, z: (x * y >> b) + z))
        case(f'sad.{kind} {three}', triples(b), ints(lambda x, y, z: z + abs(x - y)))
        nonzero = [p for p in pairs(b) if p[1] != 0]
        case(f'div.{kind} {two}', nonzero, ints(quotient))
        case(f'rem.{kind} {two}', nonzero, ints(lambda x, y: x - y * quotient(x, y)))
        case(f'min.{kind} {two}', pairs(b), ints(min))
        case(f'max.{kind} {two}', pairs(b), ints(max))
        if kind[0] == 's':
            case(f'abs.{kind} %{r}x, %{r}a;', EDGES[b], ints(abs))
            case(f'neg.{kind} %{r}x, %{r}a;', EDGES[b], ints(lambda x: -x))
        if b < 64:
            wide = LETTER[2 * b]
            case(f'mul.wide.{kind} %{wide}x, %{r}a, %{r}b;', pairs(b), ints(lambda x, y: x * y))
            case(f'mad.wide.{kind} %{wide}x, %{r}a, %{r}b, %{wide}c;',
                 triples(b, third=EDGES[2 * b]),
                 lambda x, y, z: of(x, kind) * of(y, kind) + z)
        if b >= 32:
            carries(kind, b, r)
    zeros = [(a, 0) for a in (0, 1, 7, 0x7FFF, 0x8000, 0x7FFFFFFF, 0x80000000, ONES[32], ONES[64])]
    for kind in kinds:
        R = '%' + LETTER[int(kind[1:])]
        case(f'div.{kind} {R}x, {R}a, {R}b; rem.{kind} {R}y, {R}a, {R}b;',
             [(a & ONES[int(kind[1:])], b) for a, b in zeros], by_zero(kind))
    case('add.sat.s32 %rx, %ra, %rb;', pairs(32), sat32(lambda x, y: x + y))
    case('sub.sat.s32 %rx, %ra, %rb;', pairs(32), sat32(lambda x, y: x - y))
    case('mad.hi.sat.s32 %rx, %ra, %rb, %rc;', triples(32), sat32(lambda x, y, z: (x * y >> 32) + z))
    case('min.relu.s32 %rx, %ra, %rb;', pairs(32), sat32(lambda x, y: max(0, min(x, y))))
    case('max.relu.s32 %rx, %ra, %rb;', pairs(32), sat32(lambda x, y: max(0, x, y)))
    for kind in ('u24', 's24'):
        low = lambda x, k=kind: of(x, k)
        t = kind[0] + '32'
        case(f'mul24.lo.{t} %rx, %ra, %rb;', pairs(32), lambda x, y: low(x) * low(y))
        case(f'mul24.hi.{t} %rx, %ra, %rb;', pairs(32), lambda x, y: low(x) * low(y) >> 16)
        case(f'mad24.lo.{t} %rx, %ra, %rb, %rc;', triples(32), lambda x, y, z: low(x) * low(y) + z)
        case(f'mad24.hi.{t} %rx, %ra, %rb, %rc;', triples(32),
             lambda x, y, z: (low(x) * low(y) >> 16) + z)
    case('mad24.hi.sat.s32 %rx, %ra, %rb, %rc;', triples(32), lambda x, y, z: clamp(
        (of(x, 's24') * of(y, 's24') >> 16) + of(z, 's32'), -2**31, 2**31 - 1))
    for p, q in itertools.product('us', 'us'):
        byte = lambda v, i, k: of(v >> (8 * i), k + '8')
        half = lambda v, i, k: of(v >> (16 * i), k + '16')
        case(f'dp4a.{p}32.{q}32 %rx, %ra, %rb, %rc;', triples(32), lambda a, b, c: c + sum(
            byte(a, i, p) * byte(b, i, q) for i in range(4)))
        for part, first in (('lo', 0), ('hi', 2)):
            case(f'dp2a.{part}.{p}32.{q}32 %rx, %ra, %rb, %rc;', triples(32), lambda a, b, c: c + sum(
                half(a, i, p) * byte(b, first + i, q) for i in range(2)))


def by_zero(kind):
    """Unspecified by PTX; measured on an H200."""
    return lambda a, b: (-1, a)


def sat32(f):
    return lambda *v: clamp(f(*(of(x, 's32') for x in v)), -2**31, 2**31 - 1)


def carries(kind, b, r):
    one = 1 << b
    low = lambda v: v & (one - 1)
    # The low words, then the high words with the carry, then the carry itself.
    quads = [tuple(random.choice(EDGES[b]) for _ in range(4)) for _ in range(64)]
    quads += [(one - 1, one - 1, 1, 0), (one - 1, 0, 1, 0), (0, 0, 1, 0), (0, 0, 0, 1)]

    def add(a, h, c, g):
        whole = (a + h * one) + (c + g * one)
        return low(whole), low(whole >> b), whole >> (2 * b)

    def sub(a, h, c, g):
        whole = (a + h * one) - (c + g * one)
        return low(whole), low(whole >> b), 1 if whole < 0 else 0
    R = '%' + r
    case(f'add.cc.{kind} {R}x, {R}a, {R}c; addc.cc.{kind} {R}y, {R}b, {R}d; addc.{kind} {R}z, 0, 0;',
         quads, add)
    case(f'sub.cc.{kind} {R}x, {R}a, {R}c; subc.cc.{kind} {R}y, {R}b, {R}d; '
         f'subc.{kind} {R}t, 0, 0; neg.s{b} {R}z, {R}t;', quads, sub)
    signed_part = lambda x, y: of(x, kind) * of(y, kind)

    def mads(a, m, c, g):
        lo = low(signed_part(a, m)) + c
        hi = low(signed_part(a, m) >> b) + g + (lo >> b)
        return low(lo), low(hi), hi >> b
    case(f'mad.lo.cc.{kind} {R}x, {R}a, {R}b, {R}c; madc.hi.cc.{kind} {R}y, {R}a, {R}b, {R}d; '
         f'addc.{kind} {R}z, 0, 0;', quads, mads)

    def madr(a, m, c, g):
        hi = low(signed_part(a, m) >> b) + c
        lo = low(signed_part(a, m)) + g + (hi >> b)
        return low(hi), low(lo), lo >> b
    case(f'mad.hi.cc.{kind} {R}x, {R}a, {R}b, {R}c; madc.lo.cc.{kind} {R}y, {R}a, {R}b, {R}d; '
         f'addc.{kind} {R}z, 0, 0;', quads, madr)


# ---------------------------------------------------------------- bits
def bits():
    for b in (16, 32, 64):
        R = '%' + LETTER[b]
        for name, f in (('and', lambda x, y: x & y), ('or', lambda x, y: x | y),
                        ('xor', lambda x, y: x ^ y)):
            case(f'{name}.b{b} {R}x, {R}a, {R}b;', pairs(b), f)
        case(f'not.b{b} {R}x, {R}a;', EDGES[b], lambda x: ~x)
        case(f'cnot.b{b} {R}x, {R}a;', EDGES[b], lambda x: x == 0)
        shifts = [(v, n) for v in EDGES[b] for n in (0, 1, b - 1, b, b + 1, 64, 256, 0xFFFFFFFF)]
        case(f'shl.b{b} {R}x, {R}a, %rb;', shifts, lambda x, n: x << min(n, 64))
        for kind in 'bus':
            case(f'shr.{kind}{b} {R}x, {R}a, %rb;', shifts,
                 lambda x, n: of(x, ('s' if kind == 's' else 'u') + str(b)) >> min(n, 64))
    for name, f in (('and', lambda x, y: x & y), ('or', lambda x, y: x | y),
                    ('xor', lambda x, y: x ^ y)):
        case(f'{name}.pred %px, %pa, %pb;', itertools.product((0, 1), (0, 1)), f)
        case(f'{name}.pred %px, !%pa, %pb;', itertools.product((0, 1), (0, 1)),
             lambda x, y: f(1 - x, y))
    case('not.pred %px, %pa;', [0, 1], lambda x: 1 - x)
    case('mov.pred %px, !%pa; mov.pred %py, %pa; mov.pred %pz, 1;', [0, 1], lambda x: (1 - x, x, 1))
    for b in (32, 64):
        R = '%' + LETTER[b]
        values = EDGES[b] + [1 << i for i in range(b)]
        case(f'popc.b{b} %rx, {R}a;', values, lambda x: bin(x).count('1'))
        case(f'clz.b{b} %rx, {R}a;', values, lambda x: b - x.bit_length())
        case(f'brev.b{b} {R}x, {R}a;', values, lambda x: int(f'{x:0{b}b}'[::-1], 2))
        for kind in 'us':
            top = lambda x: ((~x & ((1 << b) - 1)) if kind == 's' and x >> (b - 1) else x).bit_length() - 1
            case(f'bfind.{kind}{b} %rx, {R}a;', values + [~v & ONES[b] for v in values], top)
            case(f'bfind.shiftamt.{kind}{b} %rx, {R}a;', values,
                 lambda x: b - 1 - top(x) if top(x) >= 0 else -1)

            def extract(a, pos, length):
                pos, length = pos & 0xFF, length & 0xFF
                msb = b - 1
                sign = 0
                if kind == 's' and length:
                    sign = a >> min(pos + length - 1, msb) & 1
                d = 0
                for i in range(b):
                    inside = i < length and pos + i <= msb
                    d |= ((a >> (pos + i) & 1) if inside else sign) << i
                return d
            fields = [(v, p, n) for v in EDGES[b][4:] for p in (0, 3, b - 1, b, 255)
                      for n in (0, 1, 5, b - 1, b, 255)]
            case(f'bfe.{kind}{b} {R}x, {R}a, %rb, %rc;', fields, extract)

        def insert(a, into, pos, length):
            pos, length = pos & 0xFF, length & 0xFF
            for i in range(length):
                if pos + i < b:
                    into = into & ~(1 << (pos + i)) | (a >> i & 1) << (pos + i)
            return into
        case(f'bfi.b{b} {R}x, {R}a, {R}b, %rc, %rd;',
             [(random.getrandbits(b), random.getrandbits(b), p, n) for p in (0, 3, b - 1, b, 255)
              for n in (0, 1, 5, b - 1, b, 255)], insert)


    def fns(mask, base, n):
        if n == 0:
            return base if mask >> base & 1 else ONES[32]
        n = signed(n, 32)
        step = 1 if n > 0 else -1
        count = 0
        while 0 <= base < 32:
            count += mask >> base & 1
            if mask >> base & 1 and count == abs(n):
                return base
            base += step
        return ONES[32]
    case('fns.b32 %rx, %ra, %rb, %rc;', [(m, base, n) for m in (0, 0xFFFFFFFF, 0xDEADBEEF, 0x80000001)
                                         for base in (0, 7, 31) for n in (0, 1, 2, 5, 40, -1, -3)], fns)
    masks = [(a, n) for a in (0, 1, 5, 31, 32, 100) for n in (0, 1, 7, 31, 32, 100)]
    case('bmsk.clamp.b32 %rx, %ra, %rb;', masks,
         lambda a, n: (((1 << min(n, 32)) - 1) << a) if a < 32 else 0)
    case('bmsk.wrap.b32 %rx, %ra, %rb;', masks, lambda a, n: ((1 << (n & 31)) - 1) << (a & 31))

    def lut(a, b, c, table):
        return sum((table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i
                   for i in range(32))
    for table in (0x00, 0x01, 0x1E, 0x2D, 0x80, 0x96, 0xCA, 0xE8, 0xFE, 0xFF):
        case(f'lop3.b32 %rx, %ra, %rb, %rc, {table};', triples(32, 24),
             lambda a, b, c: lut(a, b, c, table))
    some = [(a, b, c, p) for a, b, c in [(0, 0, 0), (1, 2, 4), (ONES[32], 0, 1)] for p in (0, 1)]
    case('lop3.or.b32 %rx|%py, %ra, %rb, %rc, 0x80, %pd;', some,
         lambda a, b, c, p: (a & b & c, (a & b & c) != 0 or p))
    case('lop3.and.b32 %rx|%py, %ra, %rb, %rc, 0xfe, !%pd;', some,
         lambda a, b, c, p: (a | b | c, (a | b | c) != 0 and not p))
    amounts = [(random.getrandbits(32), random.getrandbits(32), n) for n in
               (0, 1, 7, 16, 31, 32, 33, 40, 63, 64, 255, 0xFFFFFFFF)]
    for mode, n_of in (('clamp', lambda n: min(n, 32)), ('wrap', lambda n: n & 31)):
        case(f'shf.l.{mode}.b32 %rx, %ra, %rb, %rc;', amounts,
             lambda a, b, c: ((b << 32 | a) << n_of(c)) >> 32)
        case(f'shf.r.{mode}.b32 %rx, %ra, %rb, %rc;', amounts,
             lambda a, b, c: (b << 32 | a) >> n_of(c))

    def permute(a, b, picks):
        source = [(b << 32 | a) >> (8 * i) & 0xFF for i in range(8)]
        out = 0
        for i, pick in enumerate(picks):
            byte = source[pick & 7]
            out |= ((0xFF if byte & 0x80 else 0) if pick & 8 else byte) << (8 * i)
        return out
    case('prmt.b32 %rx, %ra, %rb, %rc;',
         [(0x80C1F203, 0x7485A697, s) for s in (0, 0x3210, 0x7654, 0x0123, 0xFEDC, 0xBA98, 0x9F1A, 0x12345)],
         lambda a, b, s: permute(a, b, [s >> (4 * i) & 15 for i in range(4)]))
    # The table of the prmt modes (9.7.9.7), most significant byte first.
    modes = {'f4e': ('3210', '4321', '5432', '6543'), 'b4e': ('5670', '6701', '7012', '0123'),
             'rc8': ('0000', '1111', '2222', '3333'), 'ecl': ('3210', '3211', '3222', '3333'),
             'ecr': ('0000', '1110', '2210', '3210'), 'rc16': ('1010', '3232', '1010', '3232')}
    for mode, rows in modes.items():
        case(f'prmt.b32.{mode} %rx, %ra, %rb, %rc;', [(0x80C1F203, 0x7485A697, s) for s in (0, 1, 2, 3, 6)],
             lambda a, b, s: permute(a, b, [int(d) for d in reversed(rows[s & 3])]))


if __name__ == '__main__':
    print('# Written by make_instructions.py.')
    integers()
    bits()
