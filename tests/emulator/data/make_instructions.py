#!/usr/bin/env python3
"""Writes instructions.txt: PTX one-liners with inputs and the bits that they must give.

The results are computed here from the definitions of the PTX ISA (chapter 9), on whole numbers and
fractions of any size, so that they share nothing with the emulator.

  make_instructions.py > instructions.txt
"""
import functools
import itertools
import math
import random
import re
import struct
from fractions import Fraction

random.seed(7)
F16, BF16, F32, F64 = (5, 10), (8, 7), (8, 23), (11, 52)
CANONICAL = {F16: 0x7FFF, BF16: 0x7FFF, F32: 0x7FFFFFFF, F64: 'nan'}
ONES = {8: 0xFF, 16: 0xFFFF, 32: 0xFFFFFFFF, 64: 0xFFFFFFFFFFFFFFFF}
REGISTER = re.compile(r'%([hrlp])([a-ew-z])\b')


def widths(text):
    """Adds a case. Registers %{h,r,l,p}{a..e} are inputs, %{h,r,l,p}{w..z} outputs: 16, 32, 64 bits, predicate."""
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
EDGES = {b: [0, 1, 3, (1 << (b - 1)) - 1, 1 << (b - 1), (1 << b) - 1, 0x123456789ABCDEF5 >> (64 - b)] for b in (8, 16, 32, 64)}


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


# ---------------- These cases are about whole numbers. ----------------
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
    """Returns a result that PTX does not define, as measured on an H200."""
    return lambda a, b: (-1, -1)


def sat32(f):
    return lambda *v: clamp(f(*(of(x, 's32') for x in v)), -2**31, 2**31 - 1)


def carries(kind, b, r):
    one = 1 << b
    low = lambda v: v & (one - 1)
    # The results are the low words, then the high words with the carry, then the carry itself.
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


# ---------------- These cases are about bits. ----------------
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
    # This is the table of the prmt modes (9.7.9.7), with the most significant byte first.
    modes = {'f4e': ('3210', '4321', '5432', '6543'), 'b4e': ('5670', '6701', '7012', '0123'),
             'rc8': ('0000', '1111', '2222', '3333'), 'ecl': ('3210', '3211', '3222', '3333'),
             'ecr': ('0000', '1110', '2210', '3210'), 'rc16': ('1010', '3232', '1010', '3232')}
    for mode, rows in modes.items():
        case(f'prmt.b32.{mode} %rx, %ra, %rb, %rc;', [(0x80C1F203, 0x7485A697, s) for s in (0, 1, 2, 3, 6)],
             lambda a, b, s: permute(a, b, [int(d) for d in reversed(rows[s & 3])]))


# ---------------- These cases are about floating point. ----------------
def decode(bits, fmt):
    """Returns (kind, sign, magnitude) of a number: kind is 'nan', 'inf' or 'finite'."""
    e, f = fmt
    sign = bits >> (e + f) & 1
    exponent, fraction = bits >> f & ((1 << e) - 1), bits & ((1 << f) - 1)
    if exponent == (1 << e) - 1:
        return ('nan' if fraction else 'inf', sign, Fraction(0))
    bias = (1 << (e - 1)) - 1
    scale = Fraction(2) ** (max(exponent, 1) - bias - f)
    return ('finite', sign, (fraction + ((1 << f) if exponent else 0)) * scale)


def whole(value, mode, negative):
    """Rounds a magnitude to a whole number; modes are rn, rz, rm, rp, rna."""
    low = value.numerator // value.denominator
    rest = value - low
    if rest == 0 or mode == 'rz':
        return low
    if mode in ('rm', 'rp'):
        return low + ((mode == 'rm') == bool(negative))
    if rest == Fraction(1, 2):
        return low + (1 if mode == 'rna' else low & 1)
    return low + (rest > Fraction(1, 2))


def encode(value, fmt, mode='rn', ftz=False, sat=False):
    """Returns the bits of a number, rounded once to a format."""
    kind, sign, magnitude = value
    e, f = fmt
    if kind == 'nan':
        return 0 if sat else CANONICAL[fmt]
    infinity = ((1 << e) - 1) << f
    bias = (1 << (e - 1)) - 1
    if kind == 'inf':
        bits = infinity
    elif magnitude == 0:
        bits = 0
    else:
        exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
        if Fraction(2) ** exponent > magnitude:
            exponent -= 1
        exponent = max(exponent, 1 - bias)
        digits = whole(magnitude / Fraction(2) ** (exponent - f), mode, sign)
        bits = ((exponent + bias - 1) << f) + digits
        if bits >= infinity:
            away = mode in ('rn', 'rna') or mode == ('rm' if sign else 'rp')
            bits = infinity if away else infinity - 1
    if ftz and bits < 1 << f:
        bits = 0
    if sat:
        return 0 if sign else min(bits, bias << f)
    return bits | sign << (e + f)


def flushed(value, fmt):
    least = Fraction(2) ** (2 - (1 << (fmt[0] - 1)))
    return (value[0], value[1], Fraction(0)) if value[0] == 'finite' and value[2] < least else value


def add(a, b, mode='rn'):
    if 'nan' in (a[0], b[0]):
        return ('nan', 0, 0)
    if a[0] == 'inf' or b[0] == 'inf':
        if a[0] == b[0] and a[1] != b[1]:
            return ('nan', 0, 0)
        return a if a[0] == 'inf' else b
    total = (-a[2] if a[1] else a[2]) + (-b[2] if b[1] else b[2])
    if total == 0:
        sign = a[1] if a[1] == b[1] else int(mode == 'rm')
        return ('finite', sign, Fraction(0))
    return ('finite', int(total < 0), abs(total))


def mul(a, b):
    sign = a[1] ^ b[1]
    if 'nan' in (a[0], b[0]):
        return ('nan', 0, 0)
    if 'inf' in (a[0], b[0]):
        other = b if a[0] == 'inf' else a
        zero = other[0] == 'finite' and other[2] == 0
        return ('nan', 0, 0) if zero else ('inf', sign, Fraction(0))
    return ('finite', sign, a[2] * b[2])


def div(a, b):
    sign = a[1] ^ b[1]
    if 'nan' in (a[0], b[0]) or a[0] == b[0] == 'inf':
        return ('nan', 0, 0)
    if a[0] == 'inf':
        return ('inf', sign, Fraction(0))
    if b[0] == 'inf':
        return ('finite', sign, Fraction(0))
    if b[2] == 0:
        return ('nan', 0, 0) if a[2] == 0 else ('inf', sign, Fraction(0))
    return ('finite', sign, a[2] / b[2])


def negated(a):
    return (a[0], 1 - a[1], a[2])


def numbers(fmt):
    e, f = fmt
    top = 1 << (e + f)
    one = ((1 << (e - 1)) - 1) << f
    infinity = ((1 << e) - 1) << f
    return [0, top, one, top | one, 1, top | 1, (1 << f) - 1, 1 << f, infinity - 1, infinity,
            top | infinity, infinity | 1 << (f - 1), one + 1, one - 1, one + (5 << (f - 2)), one // 2]


def some_rows(fmt, arity, count=36):
    values = numbers(fmt)
    e, f = fmt
    one = ((1 << (e - 1)) - 1) << f
    near = lambda: (random.getrandbits(1) << (e + f)) | (one + random.randrange(-(3 << f), 3 << f))
    rows = [tuple(random.choice(values) for _ in range(arity)) for _ in range(count * 2 // 3)]
    return rows + [tuple(near() for _ in range(arity)) for _ in range(count // 3)]


def pair_of(f):
    """Applies f to both halves of 32-bit values."""
    return lambda *v: f(*(x >> 16 for x in v)) << 16 | f(*(x & 0xFFFF for x in v))


def float_case(name, suffix, kind, arity, model, fmt, ftz=False):
    """Adds cases. `model` takes decoded values, flushed with .ftz, and returns bits."""
    e, f = fmt
    read = lambda x: flushed(decode(x, fmt), fmt) if ftz else decode(x, fmt)
    bits_of = lambda *v: model(*(read(x) for x in v))
    letter = {2: 'h', 4: 'r', 8: 'l'}[(1 + e + f) // 8]
    rows = some_rows(fmt, arity)
    if kind.endswith('x2'):
        letter, bits_of = 'r', pair_of(bits_of)
        rows = [tuple(x << 16 | y for x, y in zip(r, s)) for r, s in zip(rows, rows[1:] + rows[:1])]
    if ftz:
        # GPUs differ in cases in which the rounding would make a subnormal number the least normal
        # one.
        least = [(1 << f) << shift for shift in ((0, 16) if kind.endswith('x2') else (0,))]
        rows = [r for r in rows if all(bits_of(*r) & one * ((1 << e) - 1) != one for one in least)]
    R = '%' + letter
    ins = ', '.join(R + n for n in 'abc'[:arity])
    case(f'{name}{suffix}.{kind} {R}x, {ins};', rows, bits_of)


def extreme(a, b, maximum, nan):
    if a[0] == 'nan' or b[0] == 'nan':
        return ('nan', 0, 0) if nan or a[0] == b[0] else (b if a[0] == 'nan' else a)
    key = lambda v: ((math.inf if v[0] == 'inf' else v[2]) * (-1 if v[1] else 1), -v[1])
    return max(a, b, key=key) if maximum else min(a, b, key=key)


def relu(bits, fmt):
    if isinstance(bits, str):
        return bits
    return 0 if bits >> sum(fmt) and bits != CANONICAL[fmt] else bits


def floats():
    ops = {'add': (2, lambda m: lambda a, b: add(a, b, m)), 'sub': (2, lambda m: lambda a, b: add(a, negated(b), m)
           if b[0] != 'nan' else b), 'mul': (2, lambda m: mul),
           'fma': (3, lambda m: lambda a, b, c: add(mul(a, b), c, m))}
    for name, (arity, of_mode) in ops.items():
        for mode in ('rn', 'rz', 'rm', 'rp'):
            op = of_mode(mode)
            for ftz, sat in itertools.product((0, 1), (0, 1)):
                suffix = f'.{mode}' + ('.ftz' if ftz else '') + ('.sat' if sat else '')
                float_case(name, suffix, 'f32', arity,
                           lambda *v: encode(op(*v), F32, mode, ftz, sat), F32, ftz)
            float_case(name, f'.{mode}', 'f64', arity, lambda *v: encode(op(*v), F64, mode), F64)
        op = of_mode('rn')
        for ftz, sat in itertools.product((0, 1), (0, 1)):
            suffix = '.rn' + ('.ftz' if ftz else '') + ('.sat' if sat else '')
            for kind in ('f16', 'f16x2'):
                float_case(name, suffix, kind, arity,
                           lambda *v: encode(op(*v), F16, 'rn', ftz, sat), F16, ftz)
        for kind in ('bf16', 'bf16x2'):
            float_case(name, '.rn', kind, arity, lambda *v: encode(op(*v), BF16), BF16)
    fma = ops['fma'][1]('rn')
    for kind, fmt in (('f16', F16), ('f16x2', F16), ('bf16', BF16), ('bf16x2', BF16)):
        float_case('fma', '.rn.relu', kind, 3, lambda *v: relu(encode(fma(*v), fmt), fmt), fmt)
    for mode in ('rn', 'rz', 'rm', 'rp'):
        float_case('mad', f'.{mode}', 'f64', 3, lambda a, b, c: encode(add(mul(a, b), c, mode), F64, mode), F64)
        float_case('div', f'.{mode}', 'f64', 2, lambda a, b: encode(div(a, b), F64, mode), F64)
        one = ('finite', 0, Fraction(1))
        float_case('rcp', f'.{mode}', 'f64', 1, lambda a: encode(div(one, a), F64, mode), F64)
        for ftz in (0, 1):
            s = f'.{mode}' + ('.ftz' if ftz else '')
            float_case('div', s, 'f32', 2, lambda a, b: encode(div(a, b), F32, mode, ftz), F32, ftz)
            float_case('rcp', s, 'f32', 1, lambda a: encode(div(one, a), F32, mode, ftz), F32, ftz)
            float_case('sqrt', s, 'f32', 1, lambda a: root(a, F32, mode, ftz), F32, ftz)
        float_case('sqrt', f'.{mode}', 'f64', 1, lambda a: root(a, F64, mode), F64)
    float_case('mad', '.rn', 'f32', 3, lambda a, b, c: encode(add(mul(a, b), c), F32), F32)
    for kind, fmt in (('f32', F32), ('f64', F64), ('f16', F16), ('f16x2', F16), ('bf16', BF16),
                      ('bf16x2', BF16)):
        flushes = (0, 1) if kind in ('f32', 'f16', 'f16x2') else (0,)
        for ftz in flushes:
            s = '.ftz' if ftz else ''
            nan = CANONICAL[fmt] if kind != 'f64' else 'nan'
            for m in ('min', 'max'):
                for n in ((0, 1) if kind != 'f64' else (0,)):
                    float_case(m, s + ('.NaN' if n else ''), kind, 2,
                               lambda a, b: encode(extreme(a, b, m == 'max', n), fmt), fmt, ftz)
                    if kind != 'f64':
                        float_case(m, s + ('.NaN' if n else '') + '.xorsign.abs', kind, 2,
                                   lambda a, b: xorsign(a, b, m == 'max', n, fmt), fmt, ftz)
    for kind, fmt in (('f32', F32), ('f64', F64)):
        R = '%' + ('r' if kind == 'f32' else 'l')
        top = 1 << sum(fmt)
        values = numbers(fmt)
        case(f'copysign.{kind} {R}x, {R}a, {R}b;', itertools.product(values, values[:4]),
             lambda a, b: b & (top - 1) | a & top)
        least = Fraction(2) ** (2 - (1 << (fmt[0] - 1)))
        tests = {'finite': lambda v: v[0] == 'finite', 'infinite': lambda v: v[0] == 'inf',
                 'number': lambda v: v[0] != 'nan', 'notanumber': lambda v: v[0] == 'nan',
                 'normal': lambda v: v[0] == 'finite' and (v[2] == 0 or v[2] >= least),
                 'subnormal': lambda v: v[0] == 'finite' and 0 < v[2] < least}
        for name, test in tests.items():
            case(f'testp.{name}.{kind} %px, {R}a;', values, lambda a: test(decode(a, fmt)))
    for kind, fmt in (('f32', F32), ('f64', F64), ('f16', F16), ('bf16', BF16)):
        R = '%' + {16: 'h', 32: 'r', 64: 'l'}[1 + sum(fmt)]
        top = 1 << sum(fmt)
        values = [v for v in numbers(fmt) if decode(v, fmt)[0] != 'nan']
        for ftz in ((0, 1) if kind in ('f32', 'f16') else (0,)):
            s = '.ftz' if ftz else ''
            flush = lambda a: a & top if ftz and a & (top - 1) < 1 << fmt[1] else a
            case(f'abs{s}.{kind} {R}x, {R}a;', values, lambda a: flush(a) & (top - 1))
            case(f'neg{s}.{kind} {R}x, {R}a;', values, lambda a: flush(a) ^ top)
            if kind != 'f32' and kind != 'f64':
                two = [v << 16 | w for v, w in zip(values, values[1:])]
                case(f'abs{s}.{kind}x2 %rx, %ra;', two, pair_of(lambda a: flush(a) & (top - 1)))
                case(f'neg{s}.{kind}x2 %rx, %ra;', two, pair_of(lambda a: flush(a) ^ top))
    approximate()


def xorsign(a, b, maximum, nan, fmt):
    result = extreme((a[0], 0, a[2]), (b[0], 0, b[2]), maximum, nan)
    if result[0] == 'nan':
        return CANONICAL[fmt]
    return encode((result[0], a[1] ^ b[1], result[2]), fmt)


def root(a, fmt, mode, ftz=False):
    if a[0] == 'nan' or (a[1] and (a[0] == 'inf' or a[2] != 0)):
        return CANONICAL[fmt]
    if a[0] == 'inf' or a[2] == 0:
        return encode(a, fmt)
    scaled = a[2] * Fraction(4) ** 1200  # the root has a whole number with hundreds of digits
    low = math.isqrt(scaled.numerator // scaled.denominator)
    exact = low * low == scaled
    return encode(('finite', 0, (Fraction(low) + (0 if exact else Fraction(1, 3))) / Fraction(2) ** 1200),
                  fmt, mode, ftz)


def as_float(v):
    return math.nan if v[0] == 'nan' else (-1) ** v[1] * (math.inf if v[0] == 'inf' else float(v[2]))


def from_float(x):
    if x != x:
        return ('nan', 0, 0)
    sign = int(math.copysign(1, x) < 0)
    return ('inf', sign, Fraction(0)) if math.isinf(x) else ('finite', sign, abs(Fraction(x)))


def guarded(f):
    def call(x):
        if x != x:
            return x
        try:
            return f(x)
        except OverflowError:
            return math.inf
        except (ValueError, ZeroDivisionError):
            return math.nan
    return call


# The emulator rounds the approximations correctly; "~" allows a GPU to differ.
def approximate():
    functions = {
        'sin': math.sin, 'cos': math.cos, 'tanh': math.tanh, 'ex2': lambda x: 2.0 ** x,
        'lg2': lambda x: -math.inf if x == 0 else math.log2(x),
        'rsqrt': lambda x: math.copysign(math.inf, x) if x == 0 else 1 / math.sqrt(x)}
    values = numbers(F32) + [struct_bits(x) for x in (0.25, 0.7, -0.3, 3.0, -2.5, 10.0, 20.5, -7.25)]
    for name, f in functions.items():
        for ftz in ((0, 1) if name != 'tanh' else (0,)):
            def model(a):
                v = decode(a, F32)
                bits = encode(from_float(guarded(f)(as_float(flushed(v, F32) if ftz else v))), F32, 'rn', ftz)
                return f'~{bits:x}'
            use = [v for v in values if name not in ('sin', 'cos') or abs(as_float(decode(v, F32))) < 30]
            case(f'{name}.approx' + ('.ftz' if ftz else '') + '.f32 %rx, %ra;', use, model)
    for name in ('ex2', 'tanh'):
        for kind, fmt in (('f16', F16), ('bf16', BF16)):
            s = '.ftz' if (name, kind) == ('ex2', 'bf16') else ''
            one = lambda a: encode(from_float(guarded(functions[name])(as_float(
                flushed(decode(a, fmt), fmt) if s else decode(a, fmt)))), fmt, 'rn', bool(s))
            use = [v for v in numbers(fmt)]
            case(f'{name}.approx{s}.{kind} %hx, %ha;', use, lambda a: f'~{one(a):x}')
            case(f'{name}.approx{s}.{kind}x2 %rx, %ra;', [a << 16 | b for a, b in zip(use, use[3:])],
                 lambda a: f'~{pair_of(one)(a):x}')
    tilde = lambda f: lambda *v: f'~{f(*(decode(x, F32) for x in v)):x}'
    one = ('finite', 0, Fraction(1))
    case('rcp.approx.f32 %rx, %ra;', values, tilde(lambda a: encode(div(one, a), F32)))
    case('sqrt.approx.f32 %rx, %ra;', values, tilde(lambda a: root(a, F32, 'rn')))
    # PTX does not define .approx and .full if the divisor is above 2^126.
    rows = [(a, b) for a in values for b in values[12:] if decode(a, F32)[2] < 2**100]
    case('div.approx.f32 %rx, %ra, %rb;', rows, tilde(lambda a, b: encode(div(a, b), F32)))
    case('div.full.f32 %rx, %ra, %rb;', rows, tilde(lambda a, b: encode(div(a, b), F32)))
    upper = lambda v: v if isinstance(v, str) else f'~{(v + 0x80000000) & ~ONES[32] & ONES[64]:x}'
    wide = [0x3FF0000000000000, 0x4008000000000000, 0xC000000000000000, 0x3FB9999900000000]
    case('rcp.approx.ftz.f64 %lx, %la;', wide, lambda a: upper(encode(div(one, decode(a, F64)), F64)))
    case('rsqrt.approx.ftz.f64 %lx, %la;', wide[:2], lambda a: upper(encode(
        from_float(1 / math.sqrt(as_float(decode(a, F64)))), F64)))
    case('rsqrt.approx.f64 %lx, %la;', wide[:2], lambda a: f'~{encode(from_float(1 / math.sqrt(as_float(decode(a, F64)))), F64):x}')


def struct_bits(x):
    return struct.unpack('<I', struct.pack('<f', x))[0]


# ---------------- These cases are about comparison and selection. ----------------
ORDER = {'eq': '=', 'ne': '<>', 'lt': '<', 'le': '<=', 'gt': '>', 'ge': '>=', 'lo': '<', 'ls': '<=',
         'hi': '>', 'hs': '>=', 'equ': '=u', 'neu': '<>u', 'ltu': '<u', 'leu': '<=u', 'gtu': '>u',
         'geu': '>=u', 'num': '<=>', 'nan': 'u'}
JOIN = {'and': lambda x, y: x & y, 'or': lambda x, y: x | y, 'xor': lambda x, y: x ^ y}


def relation(a, b):
    if a != a or b != b:
        return 'u'
    return '<' if a < b else '=' if a == b else '>'


def comparisons():
    kinds = {f'{k}{b}': (b, None) for k in 'bus' for b in (16, 32, 64)}
    kinds.update({'f32': (32, F32), 'f64': (64, F64), 'f16': (16, F16), 'bf16': (16, BF16)})
    for kind, (b, fmt) in kinds.items():
        R = '%' + LETTER[b]
        value = (lambda x: as_float(decode(x, fmt))) if fmt else (lambda x: of(x, kind))
        values = numbers(fmt) if fmt else EDGES[b]
        rows = [(random.choice(values), random.choice(values)) for _ in range(28)] + [(v, v) for v in values[:4]]
        if fmt:
            rows += [(values[11], values[2]), (values[2], values[11]), (0, values[1])]
        names = ['eq', 'ne']
        if kind[0] != 'b' or fmt:
            names += ['lt', 'le', 'gt', 'ge']
        if kind[0] == 'u':
            names += ['lo', 'ls', 'hi', 'hs']
        if fmt:
            names += ['equ', 'neu', 'ltu', 'leu', 'gtu', 'geu', 'num', 'nan']
        for name in names:
            holds = lambda x, y: int(relation(value(x), value(y)) in ORDER[name])
            case(f'setp.{name}.{kind} %px, {R}a, {R}b;', rows, holds)
            join = random.choice(list(JOIN))
            joined = [r + (random.getrandbits(1),) for r in rows]
            bang = random.choice(('', '!'))
            if fmt and b == 16:
                case(f'setp.{name}.{join}.{kind} %px, {R}a, {R}b, {bang}%pc;', joined,
                     lambda x, y, p: JOIN[join](holds(x, y), p ^ (bang == '!')))
            with_q = lambda x, y, p: (JOIN[join](holds(x, y), p ^ (bang == '!')),
                                      JOIN[join](1 - holds(x, y), p ^ (bang == '!')))
            if not fmt or b > 16:
                case(f'setp.{name}.{join}.{kind} %px|%py, {R}a, {R}b, {bang}%pc;', joined, with_q)
            if kind == 'bf16':
                types = (('u16', ONES[16]), ('bf16', 0x3F80), ('u32', ONES[32]), ('s32', ONES[32]))
            elif kind == 'f16':
                types = (('u16', ONES[16]), ('s16', ONES[16]), ('f16', 0x3C00), ('u32', ONES[32]), ('s32', ONES[32]))
            else:
                types = (('u32', ONES[32]), ('s32', ONES[32]), ('f32', 0x3F800000))
            for to, one in types:
                d = '%h' if '16' in to else '%r'
                case(f'set.{name}.{to}.{kind} {d}x, {R}a, {R}b;', rows[:20], lambda x, y: one * holds(x, y))
            if types:
                to, one = types[-1]
                case(f'set.{name}.{join}.{to}.{kind} %rx, {R}a, {R}b, %pc;', joined[:24],
                     lambda x, y, p: one * JOIN[join](holds(x, y), p))
    for name in ('lt', 'eq', 'geu'):
        for kind, fmt, r in (('f32', F32, 'r'), ('f16', F16, 'h')):
            small = [(a, b) for a in numbers(fmt)[:8] for b in numbers(fmt)[:8]]
            value = lambda x: as_float(flushed(decode(x, fmt), fmt))
            case(f'setp.{name}.ftz.{kind} %px, %{r}a, %{r}b;', small,
                 lambda x, y: relation(value(x), value(y)) in ORDER[name])
    for name in ('ne', 'lt', 'nan', 'leu'):
        for kind, fmt in (('f16x2', F16), ('bf16x2', BF16)):
            values = numbers(fmt)
            rows = [tuple(random.choice(values) << 16 | random.choice(values) for _ in range(2)) for _ in range(32)]
            half = lambda x, y: int(relation(as_float(decode(x, fmt)), as_float(decode(y, fmt))) in ORDER[name])
            both = lambda x, y: (half(x & 0xFFFF, y & 0xFFFF), half(x >> 16, y >> 16))
            case(f'setp.{name}.{kind} %px|%py, %ra, %rb;', rows, both)
            case(f'setp.{name}.and.{kind} %px|%py, %ra, %rb, %pc;', [r + (i & 1,) for i, r in enumerate(rows)],
                 lambda x, y, p: tuple(v & p for v in both(x, y)))
            one = 0x3C00 if kind == 'f16x2' else 0x3F80
            case(f'set.{name}.{kind}.{kind} %rx, %ra, %rb;', rows,
                 lambda x, y: both(x, y)[1] * one << 16 | both(x, y)[0] * one)
    for kind in ('b16', 'b32', 'b64', 'u16', 's32', 'f32', 'f64'):
        R = '%' + LETTER[int(kind[1:])]
        rows = [(random.getrandbits(64) & ONES[int(kind[1:])], 5, i & 1) for i in range(8)]
        case(f'selp.{kind} {R}x, {R}a, {R}b, %pc;', rows, lambda a, b, p: a if p else b)
        case(f'selp.{kind} {R}x, {R}a, {R}b, !%pc;', rows, lambda a, b, p: b if p else a)
        rows = [(a, b, c) for a, b, _ in rows[:2] for c in (0, 1, 0x7FFFFFFF, 0x80000000, ONES[32])]
        case(f'slct.{kind}.s32 {R}x, {R}a, {R}b, %rc;', rows, lambda a, b, c: a if of(c, 's32') >= 0 else b)
        rows = [(a, b, c) for a, b, _ in rows[:1] for c in numbers(F32)]
        for ftz in ('', '.ftz'):
            read = lambda c: as_float(flushed(decode(c, F32), F32) if ftz else decode(c, F32))
            case(f'slct{ftz}.{kind}.f32 {R}x, {R}a, {R}b, %rc;', rows, lambda a, b, c: a if read(c) >= 0 else b)


# ---------------- These cases are about conversion. ----------------
def conversions():
    integer = ('u8', 'u16', 'u32', 'u64', 's8', 's16', 's32', 's64')
    real = {'f16': F16, 'bf16': BF16, 'f32': F32, 'f64': F64}
    register = lambda t: LETTER[max(16, int(t.lstrip('bfsu')))]
    limits = lambda t: (-(1 << (int(t[1:]) - 1)), (1 << (int(t[1:]) - 1)) - 1) if t[0] == 's' else (
        0, (1 << int(t[1:])) - 1)
    for to, source in itertools.product(integer, integer):
        d, a = register(to), register(source)
        b = int(source[1:])
        values = EDGES[b] + ([v | 0xAB00 for v in EDGES[8]] if b == 8 else [])
        reg_bits = {'h': 16, 'r': 32, 'l': 64}
        case(f'cvt.{to}.{source} %{d}x, %{a}a;', values, lambda v: of(of(v, source), to))
        if limits(source)[0] < limits(to)[0] or limits(source)[1] > limits(to)[1]:
            case(f'cvt.sat.{to}.{source} %{d}x, %{a}a;', values, lambda v: clamp(of(v, source), *limits(to)))
    for to in ('u8', 's8', 'u16', 's16', 'u32', 's32'):  # converts into a wider register
        case(f'cvt.{to}.s32 %lx, %ra;', EDGES[32], lambda v: of(v, to))
        case(f'cvt.{to}.u64 %lx, %la;', EDGES[64], lambda v: of(v, to))
    case('cvt.s32.s8 %rx, %ra;', EDGES[32], lambda v: of(v, 's8'))  # from a wider register
    case('cvt.u64.s16 %lx, %ra;', EDGES[32], lambda v: of(v, 's16'))
    for (to, fmt), source in itertools.product(real.items(), integer):
        d, a = register(to), register(source)
        if to == 'bf16' and source[1:] == '8':
            continue
        for mode in ('rn', 'rz', 'rm', 'rp'):
            b = int(source[1:])
            values = EDGES[b] + [random.getrandbits(b) for _ in range(6)]
            exact = lambda v: ('finite', int(of(v, source) < 0), Fraction(abs(of(v, source))))
            case(f'cvt.{mode}.{to}.{source} %{d}x, %{a}a;', values, lambda v: encode(exact(v), fmt, mode))
            if mode == 'rn' and to != 'bf16':
                case(f'cvt.rn.sat.{to}.{source} %{d}x, %{a}a;', values, lambda v: encode(exact(v), fmt, mode, sat=True))
    points = [0.0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.3, -0.7, 100.75, 126.5, 127.5, 128.0, 255.5, -128.5, 254.5,
              32767.5, 65535.0, 65504.0, 2.0**31, 2.0**31 - 128, -2.0**31, 2.0**32, 2.0**63, 2.0**64, -2.0**63, 1e30, -1e30,
              math.inf, -math.inf, math.nan]
    for (source, fmt), to in itertools.product(real.items(), integer):
        d, a = register(to), register(source)
        if source == 'bf16' and to[1:] == '8':
            continue
        values = [encode(from_float(p), fmt) for p in points[:-1]] + [((1 << fmt[0]) - 1 << fmt[1]) | 1 << (fmt[1] - 1), 1, 1 << sum(fmt) | 1]
        for mode in ('rni', 'rzi', 'rmi', 'rpi'):
            def model(bits):
                kind, sign, magnitude = decode(bits, fmt)
                if kind == 'nan':
                    wide = source == 'f64' or to[1:] == '64'
                    return of(1 << (int(to[1:]) - 1), to) if wide else 0
                n = 10**40 if kind == 'inf' else whole(magnitude, mode[:2], sign)
                return clamp(-n if sign else n, *limits(to)) & ONES[int(to[1:])] if to[0] == 'u' else clamp(-n if sign else n, *limits(to))
            case(f'cvt.{mode}.{to}.{source} %{d}x, %{a}a;', values, model)
            if source == 'f32':
                case(f'cvt.{mode}.ftz.{to}.{source} %{d}x, %{a}a;', values,
                     lambda v: model(v & 0x80000000 if v & 0x7F800000 == 0 else v))
    floats_to_floats(real, register, points)


def floats_to_floats(real, register, points):
    # A GPU keeps parts of the payload of a NaN; PTX does not say which.
    def number(value, fmt, mode='rn', ftz=False, sat=False):
        return 'nan' if value[0] == 'nan' and not sat else encode(value, fmt, mode, ftz, sat)
    for (to, out), (source, fmt) in itertools.product(real.items(), real.items()):
        d, a = register(to), register(source)
        values = numbers(fmt) + [r[0] for r in some_rows(fmt, 1, 36)]
        if sum(fmt) > sum(out):
            values += [encode((v[0], v[1], v[2] * Fraction(f)), fmt) for v in (decode(x, out) for x in numbers(out))
                       for f in (1, Fraction(1025, 1024), Fraction(1, 2)) if v[0] == 'finite']
        narrows = to != source and (sum(fmt) > sum(out) or (to, source) in (('bf16', 'f16'), ('f16', 'bf16')))
        if narrows:
            for mode in ('rn', 'rz', 'rm', 'rp'):
                case(f'cvt.{mode}.{to}.{source} %{d}x, %{a}a;', values, lambda v: number(decode(v, fmt), out, mode))
            if to != 'bf16' and source != 'bf16':
                case(f'cvt.rn.sat.{to}.{source} %{d}x, %{a}a;', values, lambda v: number(decode(v, fmt), out, 'rn', sat=True))
        elif to != source:
            case(f'cvt.{to}.{source} %{d}x, %{a}a;', values, lambda v: number(decode(v, fmt), out))
            if to == 'f32' and source == 'f16':
                case(f'cvt.sat.{to}.{source} %{d}x, %{a}a;', values, lambda v: number(decode(v, fmt), out, sat=True))
        elif to != 'bf16':
            values = [encode(from_float(p), fmt) for p in points[:-1]] + values
            for mode in ('rni', 'rzi', 'rmi', 'rpi'):
                def integral(v):
                    kind, sign, magnitude = decode(v, fmt)
                    return kind, sign, Fraction(whole(magnitude, mode[:2], sign)) if kind == 'finite' else magnitude
                case(f'cvt.{mode}.{to}.{source} %{d}x, %{a}a;', values, lambda v: number(integral(v), fmt))
                case(f'cvt.{mode}.sat.{to}.{source} %{d}x, %{a}a;', values, lambda v: number(integral(v), fmt, sat=True))
    values = numbers(F32) + [r[0] for r in some_rows(F32, 1, 36)]
    flush = lambda v: flushed(decode(v, F32), F32)
    case('cvt.ftz.f64.f32 %lx, %ra;', values, lambda v: number(flush(v), F64))
    case('cvt.ftz.f32.f32 %rx, %ra;', [v for v in values], lambda v: number(flush(v), F32))
    small = [encode(('finite', s, Fraction(2) ** -126 * Fraction(k, 8)), F64) for k in (1, 7, 8, 9) for s in (0, 1)]
    case('cvt.rn.ftz.f32.f64 %rx, %la;', small, lambda v: encode(decode(v, F64), F32, 'rn', True))
    case('cvt.rn.relu.f16.f32 %hx, %ra;', values, lambda v: relu(number(decode(v, F32), F16), F16))
    case('cvt.rz.relu.bf16.f32 %hx, %ra;', values, lambda v: relu(encode(decode(v, F32), BF16, 'rz'), BF16))
    rows = list(zip(values, values[1:]))
    for kind, fmt in (('f16x2', F16), ('bf16x2', BF16)):
        for mode in ('rn', 'rz'):
            case(f'cvt.{mode}.{kind}.f32 %rx, %ra, %rb;', rows,
                 lambda a, b: encode(decode(a, F32), fmt, mode) << 16 | encode(decode(b, F32), fmt, mode))
            case(f'cvt.{mode}.relu.{kind}.f32 %rx, %ra, %rb;', rows, lambda a, b: relu(
                encode(decode(a, F32), fmt, mode), fmt) << 16 | relu(encode(decode(b, F32), fmt, mode), fmt))
    tf32 = (8, 10)
    CANONICAL[tf32] = 0x3FFFF
    finite = [v for v in values if decode(v, F32)[0] != 'nan']
    case('cvt.rna.tf32.f32 %rx, %ra;', finite, lambda v: encode(decode(v, F32), tf32, 'rna') << 13)


# ---------------- These cases are about warps. ----------------
def warp_case(text, rows, model):
    """Adds a case. `model` takes the 32 rows and returns 32 results; no other warp executes."""
    results = dict(enumerate(model(rows)))
    count = itertools.count()
    case(text, rows, lambda *_: results[next(count)], 'w')


def shuffled(mode, lane, b, c):
    segment, clamp_ = c >> 8 & 31, c & 31
    b &= 31
    low = lane & segment
    top = low | clamp_ & ~segment & 31
    source = {'up': lane - b, 'down': lane + b, 'bfly': lane ^ b, 'idx': low | b & ~segment & 31}[mode]
    inside = source >= top if mode == 'up' else source <= top
    return (source if inside else lane), int(inside)


def warps():
    values = [random.getrandbits(32) for _ in range(32)]
    for mode in ('up', 'down', 'bfly', 'idx'):
        for width in (32, 16, 8, 2):
            c = (32 - width) << 8 | (0 if mode == 'up' else 31)
            for b in (0, 1, 5, 16, 31):
                warp_case(f'shfl.sync.{mode}.b32 %rx|%py, %ra, {b}, {c}, -1;', values, lambda rows: [
                    (rows[shuffled(mode, i, b, c)[0]], shuffled(mode, i, b, c)[1]) for i in range(32)])
        # These use registers, with another lane and clamp for each thread.
        rows = [(values[i], random.getrandbits(6), random.choice((31, 0x1807, 0x1000, 0x101F))) for i in range(32)]
        warp_case(f'shfl.sync.{mode}.b32 %rx|%py, %ra, %rb, %rc, -1;', rows, lambda rows: [
            (rows[shuffled(mode, i, r[1], r[2])[0]][0], shuffled(mode, i, r[1], r[2])[1]) for i, r in enumerate(rows)])
    halves = [(v, int(i < 16)) for i, v in enumerate(values)]
    untouched = 0xA5A5A5A5
    warp_case('@%pb shfl.sync.bfly.b32 %rx, %ra, 3, 31, 0xffff;', halves,
              lambda rows: [rows[i ^ 3][0] if i < 16 else untouched for i in range(32)])
    flags = [random.getrandbits(1) for _ in range(32)]
    ballot = lambda rows: sum(p << i for i, p in enumerate(rows))
    for rows in (flags, [1] * 32, [0] * 32):
        warp_case('vote.sync.all.pred %px, %pa, -1;', rows, lambda r: [int(all(r))] * 32)
        warp_case('vote.sync.any.pred %px, !%pa, -1;', rows, lambda r: [int(not all(r))] * 32)
        warp_case('vote.sync.uni.pred %px, %pa, -1;', rows, lambda r: [int(len(set(r)) == 1)] * 32)
        warp_case('vote.sync.ballot.b32 %rx, %pa, -1;', rows, lambda r: [ballot(r)] * 32)
        warp_case('vote.sync.ballot.b32 %rx, !%pa, -1;', rows, lambda r: [ballot(r) ^ ONES[32]] * 32)
        warp_case('vote.sync.any.pred %px, %pa, -1;', rows, lambda r: [int(any(r))] * 32)
        # In this case only the lanes with a true predicate execute, with a mask that names only
        # them.
        warp_case('vote.sync.ballot.b32 %rt, %pa, -1; @%pa vote.sync.ballot.b32 %rx, %pa, %rt;',
                  rows, lambda r: [ballot(r) if p else untouched for p in r])
        warp_case('vote.sync.ballot.b32 %rt, %pa, -1; @%pa activemask.b32 %rx;', rows,
                  lambda r: [ballot(r) if p else untouched for p in r])
    for b, R in ((32, '%r'), (64, '%l')):
        few = [random.getrandbits(b) for _ in range(4)]
        rows = [random.choice(few) for _ in range(32)]
        warp_case(f'match.any.sync.b{b} %rx, {R}a, -1;', rows, lambda r: [
            sum(int(v == w) << j for j, w in enumerate(r)) for v in r])
        for rows in (rows, [few[0]] * 32):
            warp_case(f'match.all.sync.b{b} %rx|%py, {R}a, -1;', rows, lambda r: [
                ((ONES[32], 1) if len(set(r)) == 1 else (0, 0))] * 32)
    fold = lambda f: lambda r: [functools.reduce(f, r)] * 32
    edges = [random.choice(EDGES[32] + [random.getrandbits(32)]) for _ in range(32)]
    for name, f in (('add', lambda x, y: x + y), ('min', min), ('max', max)):
        for kind in ('u32', 's32'):
            warp_case(f'redux.sync.{name}.{kind} %rx, %ra, -1;', edges, lambda r: fold(f)([of(v, kind) for v in r]))
    for name, f in JOIN.items():
        warp_case(f'redux.sync.{name}.b32 %rx, %ra, -1;', edges, fold(f))
    rows = [(v, int(i % 3 == 0)) for i, v in enumerate(edges)]
    warp_case('vote.sync.ballot.b32 %rt, %pb, -1; @%pb redux.sync.add.u32 %rx, %ra, %rt;', rows, lambda r: [
        sum(v for v, p in r if p) if p else untouched for _, p in r])
    # These are barriers of one block of 32 threads.
    warp_case('bar.red.popc.u32 %rx, 0, %pa;', flags, lambda r: [sum(r)] * 32)
    warp_case('bar.red.and.pred %px, 1, %pa;', flags, lambda r: [int(all(r))] * 32)
    warp_case('bar.red.or.pred %px, 2, 32, !%pa;', flags, lambda r: [int(not all(r))] * 32)
    warp_case('barrier.cta.red.popc.aligned.u32 %rx, 0, %pa;', flags, lambda r: [sum(r)] * 32)
    warp_case('st.shared.u32 [%rs], %ra; bar.sync 0; xor.b32 %rt, %rs, 16; ld.shared.u32 %rx, [%rt];',
              values, lambda r: [r[i ^ 1] for i in range(32)])
    warp_case('st.shared.u32 [%rs], %ra; bar.warp.sync -1; xor.b32 %rt, %rs, 16; ld.shared.u32 %rx, [%rt];',
              values, lambda r: [r[i ^ 1] for i in range(32)])
    # In this case all lanes have one address.
    warp_case('red.global.add.u32 [%lg], %ra; bar.sync 0; ld.volatile.global.u32 %rx, [%lg];', values, fold(lambda x, y: x + y))
    warp_case('atom.global.add.u32 %rt, [%lg], 1; bar.sync 0; ld.volatile.global.u32 %rx, [%lg]; '
              'setp.lt.u32 %py, %rt, %ra;', [32] * 32, lambda r: [(32, 1)] * 32)


# ---------------- These cases are about memory. ----------------
def atomics():
    spaces = {'global': 'st.global.{t} [%lm], {v}; ', 'shared': 'st.shared.{t} [%rs], {v}; ',
              '': 'cvt.u64.u32 %lt, %rs; cvta.shared.u64 %lu, %lt; st.{t} [%lu], {v}; '}
    at = {'global': '[%lm]', 'shared': '[%rs]', '': '[%lu]'}

    def both(op, kind, rows, model, extra=''):
        b = 32 if kind.endswith('x2') else int(kind.lstrip('bfsu'))
        R = '%' + LETTER[b]
        for space, first in spaces.items():
            begin = first.format(t=f'b{b}', v=R + 'a')
            dot = '.' + space if space else ''
            end = f'ld{dot}.b{b} {R}y, {at[space]};'
            c = f', {R}c' if extra else ''
            case(f'{begin}atom{dot}.{op}.{kind} {R}x, {at[space]}, {R}b{c}; {end}', rows,
                 lambda *v: (v[0], model(*v)))
            if op not in ('exch', 'cas'):
                case(f'{begin}red{dot}.{op}.{kind} {at[space]}, {R}b; {end}', rows, model)
    for kind in ('u32', 's32', 'u64'):
        both('add', kind, pairs(int(kind[1:]))[::2], lambda x, y: x + y)
    for kind in ('u32', 's32', 'u64', 's64'):
        both('min', kind, pairs(int(kind[1:]))[::2], lambda x, y: min(of(x, kind), of(y, kind)))
        both('max', kind, pairs(int(kind[1:]))[::2], lambda x, y: max(of(x, kind), of(y, kind)))
    for kind in ('b32', 'b64'):
        for name, f in JOIN.items():
            both(name, kind, pairs(int(kind[1:]))[::4], f)
    both('inc', 'u32', pairs(32), lambda x, y: 0 if x >= y else x + 1)
    both('dec', 'u32', pairs(32), lambda x, y: y if x == 0 or x > y else x - 1)
    for b in (16, 32, 64):
        if b > 16:
            both('exch', f'b{b}', pairs(b)[::4], lambda x, y: y)
        rows = [(x, random.choice((x, y)), 7) for x, y in pairs(b)[::3]]
        both('cas', f'b{b}', rows, lambda x, y, z: z if x == y else x, 'c')
    for kind, fmt in (('f16', F16), ('bf16', BF16), ('f16x2', F16), ('bf16x2', BF16), ('f32', F32), ('f64', F64)):
        normal = [v for v in numbers(fmt) if decode(v, fmt)[0] != 'nan' and flushed(decode(v, fmt), fmt) == decode(v, fmt)]
        rows = [(x, y) for x in normal for y in normal if encode(add(decode(x, fmt), decode(y, fmt)), fmt) not in
                (CANONICAL[fmt],)][::4]
        model = lambda x, y: encode(add(decode(x, fmt), decode(y, fmt)), fmt)
        if kind.endswith('x2'):
            rows = [(a << 16 | c, b << 16 | d) for (a, b), (c, d) in zip(rows, rows[1:])]
            model = pair_of(model)
        both('add.noftz' if '16' in kind else 'add', kind, rows, model)
    # Subnormal numbers count as zeros in global memory, but not in shared memory.
    small = [(1, 2), (0x80000001, 0x80000002), (0x00800000, 0x80000001), (0x007FFFFF, 1)]
    keep = lambda x, y: encode(add(decode(x, F32), decode(y, F32)), F32)
    zero = lambda x, y: encode(add(flushed(decode(x, F32), F32), flushed(decode(y, F32), F32)), F32, 'rn', True)
    case('st.global.b32 [%lm], %ra; red.global.add.f32 [%lm], %rb; ld.global.b32 %rx, [%lm];', small, zero)
    case('st.global.b32 [%lm], %ra; atom.add.f32 %rt, [%lm], %rb; ld.global.b32 %rx, [%lm];', small, zero)
    case('st.shared.b32 [%rs], %ra; atom.shared.add.f32 %rt, [%rs], %rb; ld.shared.b32 %rx, [%rs];', small, keep)
    case('st.shared.b32 [%rs], %ra; cvt.u64.u32 %lt, %rs; cvta.shared.u64 %lu, %lt; '
         'atom.add.f32 %ru, [%lu], %rb; ld.shared.b32 %rx, [%rs];', small, keep)


def memory():
    cell = [(0x80 + 7 * i) & 0xFF for i in range(64)]
    read = lambda at, n: sum(cell[at + i] << (8 * i) for i in range(n))
    for kind in ('b8', 'u8', 's8', 'b16', 'u16', 's16', 'b32', 'u32', 's32', 'f32', 'b64', 'u64', 's64', 'f64'):
        n = int(kind[1:]) // 8
        value = lambda at: of(read(at, n), ('s' if kind[0] == 's' else 'u') + kind[1:])
        for r, width in (('h', 2), ('r', 4), ('l', 8)):
            if width < n or (kind[0] == 'f' and width != n):
                continue
            for how in ('global', 'global.nc', 'volatile.global', 'relaxed.gpu.global'):
                case(f'ld.{how}.{kind} %{r}x, [%lm+{n}]; mov.b32 %ry, %ra;', [1], lambda a: (value(n), a))
            for count in (2, 4):
                if n * count > 16:
                    continue
                names = 'wxyz'[:count]
                vector = ', '.join(f'%{r}{c}' for c in names)
                case(f'mov.b32 %rt, %ra; ld.v{count}.{kind} {{{vector}}}, [%lm+{n * count}];', [1],
                     lambda a: tuple(value(n * count + n * i) for i in range(count)))
                sources = ', '.join(f'%{r}{c}' for c in 'abcd'[:count])
                case(f'st.global.v{count}.{kind} [%lm+16], {{{sources}}}; ld.global.v2.b64 {{%lx, %ly}}, [%lm+16];',
                     [tuple(random.getrandbits(8 * width) for _ in range(count)) for _ in range(3)],
                     lambda *v: stored(cell, 16, v, n))
            case(f'st.shared.{kind} [%rs+{n % 8}], %{r}a; ld.shared.{kind} %{r}x, [%rs+{n % 8}];',
                 [random.getrandbits(8 * width) for _ in range(4)],
                 lambda a: of(a, ('s' if kind[0] == 's' else 'u') + kind[1:]))
    case('ld.global.v2.u32 {%rx, _}, [%lm+8]; mov.b32 %ry, %ra;', [1], lambda a: (read(8, 4), a))
    case('ldu.global.u32 %rx, [%lm+4]; mov.b32 %ry, %ra;', [1], lambda a: (read(4, 4), a))
    for count, src in ((4, 4), (8, 8), (16, 16), (16, 5)):
        case(f'mov.b32 %rt, %ra; cp.async.ca.shared.global [%rs], [%lm+16], {count}, {src}; '
             'cp.async.commit_group; cp.async.wait_group 0; cp.async.wait_all; '
             f'ld.shared.b32 %rx, [%rs]; ld.shared.b32 %ry, [%rs+{count - 4}];', [1], lambda a: tuple(
                 sum((cell[16 + o + i] if o + i < src else 0) << (8 * i) for i in range(4)) for o in (0, count - 4)))
    words = [random.getrandbits(64) for _ in range(6)]
    part = lambda v, i, b: v >> (i * b) & ((1 << b) - 1)
    case('mov.b64 {%rx, %ry}, %la;', words, lambda v: (part(v, 0, 32), part(v, 1, 32)))
    case('mov.b64 {_, %ry}, %la;', words, lambda v: part(v, 1, 32))
    case('mov.b64 {%hw, %hx, %hy, %hz}, %la;', words, lambda v: tuple(part(v, i, 16) for i in range(4)))
    case('mov.b32 {%hx, %hy}, %ra;', words, lambda v: (part(v, 0, 16), part(v, 1, 16)))
    case('mov.b64 %lx, {%ra, %rb};', [(v, v >> 32) for v in words], lambda a, b: (b & ONES[32]) << 32 | a & ONES[32])
    case('mov.b64 %lx, {%ra, 5};', words, lambda a: 5 << 32 | a & ONES[32])
    case('mov.b64 %lx, {%ha, %hb, %hc, %hd};', [(1, 0xFFFF, 0x8000, 7)], lambda *v: sum(x << 16 * i for i, x in enumerate(v)))
    case('mov.b32 %rx, {%ha, %hb};', [(0xFFFF, 1), (1, 0x8000)], lambda a, b: b << 16 | a)
    for kind in ('b16', 'u32', 's64', 'f32', 'f64'):
        R = '%' + LETTER[int(kind[1:])]
        case(f'mov.{kind} {R}x, {R}a;', words, lambda v: v)
    case('mov.u32 %rx, %tid.x; mov.u32 %ry, %laneid; mov.u32 %rz, %ntid.x; mov.b32 %rt, %ra;', [(1,)] * 32,
         thread_numbers(), 'w')
    case('cvt.u64.u32 %lt, %rs; cvta.shared.u64 %lu, %lt; isspacep.shared %px, %lu; isspacep.global %py, %lu; '
         'cvta.to.shared.u64 %lv, %lu; sub.s64 %lv, %lv, %lt; cvt.u32.u64 %rz, %lv; mov.b32 %rt, %ra;', [1], lambda a: (1, 0, 0))
    case('cvta.to.global.u64 %lu, %lm; cvta.global.u64 %lu, %lu; isspacep.global %px, %lu; isspacep.shared %py, %lu; '
         'isspacep.local %pz, %lu; mov.b32 %rt, %ra;', [1], lambda a: (1, 0, 0))
    nothing = ['prefetch.global.L1 [%lm]', 'prefetch.L2 [%lm]', 'prefetchu.L1 [%lm]', 'membar.cta', 'membar.gl', 'membar.sys',
               'fence.sc.gpu', 'fence.acq_rel.cta', 'nanosleep.u32 20', 'griddepcontrol.wait', 'pmevent 3',
               'griddepcontrol.launch_dependents', 'discard.global.L2 [%lg], 128', 'applypriority.global.L2::evict_normal [%lg], 128']
    for text in nothing:
        case(f'{text}; add.u32 %rx, %ra, 1;', [5], lambda a: a + 1)


def thread_numbers():
    lane = itertools.count()

    def model(_):
        i = next(lane)
        return i, i, 32
    return model


def stored(cell, at, values, n):
    data = list(cell[at:at + 16])
    for i, v in enumerate(values):
        data[i * n:(i + 1) * n] = (v & ONES[8 * n]).to_bytes(n, 'little')
    whole_ = int.from_bytes(bytes(data), 'little')
    return whole_ & ONES[64], whole_ >> 64


# ---------------- These cases are about control flow. ----------------
def control():
    case('setp.gt.u32 %pt, %ra, 5; @%pt bra MORE; add.u32 %rx, %ra, 100; bra.uni DONE2; MORE: mov.b32 %rx, 7; DONE2:',
         [1, 5, 6, 9], lambda a: 7 if a > 5 else a + 100, 'w')
    case('mov.b32 %rx, 0; mov.b32 %rt, %ra; AGAIN: setp.eq.u32 %pt, %rt, 0; @%pt bra OUT; add.u32 %rx, %rx, %rt; '
         'sub.u32 %rt, %rt, 1; bra AGAIN; OUT:', [0, 1, 5, 9, 30], lambda a: a * (a + 1) // 2, 'w')
    # Threads that have left store no results, so their results stay zero.
    for leave in ('exit', 'ret'):
        case(f'@%pa {leave}; add.u32 %rx, %rb, 1;', [(1, 5), (0, 6), (0, 7)], lambda p, b: 0 if p else b + 1, 'w')
    case('TABLE: .branchtargets ZERO, ONE, TWO; brx.idx %ra, TABLE; ZERO: mov.b32 %rx, 10; bra END; '
         'ONE: mov.b32 %rx, 11; bra END; TWO: mov.b32 %rx, 12; END:', [0, 1, 2, 1], lambda a: 10 + a, 'w')


if __name__ == '__main__':
    print('# Written by make_instructions.py.')
    integers()
    bits()
    floats()
    comparisons()
    conversions()
    warps()
    atomics()
    memory()
    control()
