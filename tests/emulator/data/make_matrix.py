#!/usr/bin/env python3
"""Writes cases of the matrix instructions (PTX ISA, 9.7.14) without results: "?" for each.

PTX leaves open in which order and how exactly mma adds, and where wmma keeps an element, so what an
H200 gives is what is right:

  make_matrix.py | check_instructions.py --record - > h200_matrix.txt      (on a machine with a GPU)

Each case is one warp, or several of 32 rows: small numbers, numbers of all sizes, sums that cancel,
numbers that are not finite or subnormal.
"""
import random
import struct
import sys

from make_instructions import widths

F16, BF16, TF32, F32, F64 = (5, 10), (8, 7), (8, 10), (8, 23), (11, 52)
FORMAT = {'f16': F16, 'bf16': BF16, 'tf32': TF32, 'f32': F32, 'f64': F64}
STYLES = ('small', 'wide', 'cancel', 'edge')


def real(kind, style, random):
    """Returns the bits of a random number: 16 for f16 and bf16, 32 for tf32 and f32."""
    e, f = FORMAT[kind]
    bias = (1 << (e - 1)) - 1
    fraction = random.getrandbits(f)
    sign = random.getrandbits(1)
    if style == 'edge' and random.random() < 0.3:
        top = (1 << e) - 1
        exponent, fraction = random.choice(((0, 0), (0, 0), (0, fraction), (0, 1), (top - 1, fraction), (top, 0), (top, 1 << (f - 1))))
        if exponent == top and random.random() < 0.7:
            exponent, fraction = bias, 0
    elif style == 'wide':
        exponent = bias + random.randint(-min(bias - 1, 14), 13)
    elif style == 'cancel':
        exponent, fraction = bias + random.choice((0, 0, 4, -6)), random.choice((0, 0, 1, fraction))
    else:
        exponent = bias + random.randint(-2, 1)
    bits = sign << (e + f) | exponent << f | fraction
    return bits << 13 if kind == 'tf32' else bits


def word(kind, style, random, bits=32):
    """Packs elements of `bits` bits."""
    if kind in ('f16', 'bf16'):
        return sum(real(kind, style, random) << (16 * i) for i in range(bits // 16))
    if kind in ('tf32', 'f32'):
        return sum(real(kind, style, random) << (32 * i) for i in range(bits // 32))
    if kind == 'f64':
        return real(kind, style, random)
    return random.getrandbits(bits) if style != 'edge' else random.choice((0, (1 << bits) - 1, int('80' * (bits // 8), 16), int('7f' * (bits // 8), 16)))


def case(text, columns, styles=STYLES, warps=1):
    """Adds a case. `columns` gives the contents of each input register: a kind, or a function of row and random."""
    ins, outs = widths(text)
    assert len(ins) == len(columns) and len(outs) <= 4, (text, ins, outs)
    bits = {'h': 16, 'r': 32, 'l': 64, 'p': 32}
    print(f'=w {text}')
    for style in styles:
        for warp in range(warps):
            rng = random.Random(f'{text} {style} {warp}')
            for lane in range(32):
                words = [column(lane, rng) if callable(column) else word(column, style, rng, bits[r[0]])
                         for column, r in zip(columns, ins)]
                print(' '.join(f'{w:x}' for w in words), '->', ' '.join('?' for _ in outs))


def take(first, inputs, per):
    """Unpacks 64-bit inputs into the 32-bit registers %q<first>..."""
    return ' '.join(f'mov.b64 {{%q{first + 2 * i}, %q{first + 2 * i + 1}}}, %l{name};' for i, name in enumerate(inputs))


def regs(first, count):
    return '{' + ', '.join(f'%q{first + i}' for i in range(count)) + '}'


def mma(shape, a, b, c, d, rows, warps, extra=''):
    """Adds a case. `rows` are the 32-bit registers of a, b, c, d."""
    na, nb, nc, nd = rows
    inputs, columns, text, at = iter('abcde'), [], ['.reg .b32 %q<20>;'], 0
    places = []
    for kind, n in ((a, na), (b, nb), (c, nc)):
        places.append(regs(at, n))
        for _ in range((n + 1) // 2):
            name = next(inputs)
            if n == 1:
                text.append(f'mov.b32 %q{at}, %r{name};')
            else:
                text.append(f'mov.b64 {{%q{at}, %q{at + 1}}}, %l{name};')
            columns.append(kind)
            at += min(n, 2)
    outs = '{' + ', '.join(f'%r{x}' for x in 'wxyz'[:nd]) + '}'
    text.append(f'mma.sync.aligned.{shape}.row.col{extra}.{d}.{a}.{b}.{c} {outs}, {places[0]}, {places[1]}, {places[2]};')
    case(' '.join(text), columns, STYLES if a in FORMAT else ('small', 'edge'), warps)


def mma_f64(shape, na, nb):
    """Adds a case whose elements of a, b and c are f32 numbers, widened to f64."""
    text, at = ['.reg .b32 %q<20>; .reg .f32 %f; .reg .b64 %d<20>;'], 0
    names = 'abcde'[:(na + nb + 4 + 1) // 2]
    if na + nb + 4 > 10:  # there are not enough inputs, so the second half of a is twice the first
        names = 'abcde'
    for i, name in enumerate(names):
        text.append(f'mov.b64 {{%q{2 * i}, %q{2 * i + 1}}}, %l{name}; cvt.f64.f32 %d{2 * i}, %q{2 * i}; cvt.f64.f32 %d{2 * i + 1}, %q{2 * i + 1};')
    at = lambda n: [f'%d{i % 10}' for i in n]
    vector = lambda names: '{' + ', '.join(names) + '}'
    text.append(f'mma.sync.aligned.{shape}.row.col.f64.f64.f64.f64 {{%lw, %lx, %ly, %lz}}, {vector(at(range(na)))}, '
                f'{vector(at(range(na, na + nb)))}, {vector(at(range(na + nb, na + nb + 4)))};')
    text = ' '.join(text).replace('.reg .f32 %f; ', '')
    case(text, ['f32'] * len(names), ('small', 'wide', 'edge'))


def multiply(warps):
    for shape, na, nb in (('m16n8k8', 2, 1), ('m16n8k16', 4, 2)):
        mma(shape, 'f16', 'f16', 'f32', 'f32', (na, nb, 4, 4), warps)
        mma(shape, 'f16', 'f16', 'f16', 'f16', (na, nb, 2, 2), warps)
        mma(shape, 'bf16', 'bf16', 'f32', 'f32', (na, nb, 4, 4), warps)
    mma('m16n8k4', 'tf32', 'tf32', 'f32', 'f32', (2, 1, 4, 4), warps)
    mma('m16n8k8', 'tf32', 'tf32', 'f32', 'f32', (4, 2, 4, 4), warps)
    for a, b, extra in (('s8', 's8', ''), ('u8', 's8', ''), ('s8', 'u8', '.satfinite'), ('u8', 'u8', '.satfinite')):
        mma('m8n8k16', a, b, 's32', 's32', (1, 1, 2, 2), 1, extra)
        mma('m16n8k16', a, b, 's32', 's32', (2, 1, 4, 4), 1, extra)
        mma('m16n8k32', a, b, 's32', 's32', (4, 2, 4, 4), 1, extra)
    case('mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%lw, %lx}, {%la}, {%lb}, {%lc, %ld};', ['f64'] * 4)
    mma_f64('m16n8k4', 2, 1)
    mma_f64('m16n8k8', 4, 2)
    mma_f64('m16n8k16', 8, 4)


if __name__ == '__main__':
    print('# Recorded from an H200: the cases of make_matrix.py.')
    multiply(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    from make_wmma import everything
    everything()
