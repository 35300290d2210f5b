#!/usr/bin/env python3
"""Runs the cases of a file on a GPU, through the CUDA driver, and lists where it differs.

  check_instructions.py instructions.txt
  check_instructions.py --record cases.txt > recorded.txt     writes the file with what the GPU gives ("-": standard input)
"""
import ctypes
import math
import re
import struct
import sys

REGISTER = re.compile(r'%([hrlp])([a-ew-z])\b')
BITS = {'h': 16, 'r': 32, 'l': 64}


def kernel(text):
    """Makes the module of a case, as tests/emulator/run_ptx.cc does."""
    found = sorted(set(REGISTER.findall(text)), key=lambda r: r[1])
    ins = [(k, n) for k, n in found if n < 'w']
    outs = [(k, n) for k, n in found if n >= 'w']
    lines = []
    for kind, kind_type in (('h', 'b16'), ('r', 'b32'), ('l', 'b64'), ('p', 'pred')):
        names = ', '.join(f'%{kind}{n}' for n in '0mabcdetuvwxyz')
        lines.append(f'.reg .{kind_type} {names};')
    lines += ['.reg .b32 %rlane, %rs;', '.reg .b64 %lin, %lout, %lg;',
              '.shared .align 16 .b8 smem[16384];', 'mov.u32 %rlane, %tid.x;',
              'ld.param.u64 %lin, [in];', 'ld.param.u64 %lout, [out];', 'ld.param.u64 %lg, [mem];',
              'mad.wide.u32 %lin, %rlane, 40, %lin;', 'mad.wide.u32 %lout, %rlane, 32, %lout;',
              'mad.wide.u32 %lm, %rlane, 64, %lg;', 'add.u64 %lm, %lm, 256;', 'mov.u32 %rs, smem;',
              'mad.lo.u32 %rs, %rlane, 16, %rs;']
    for i, (k, n) in enumerate(ins):
        if k == 'p':
            lines += [f'ld.b32 %r0, [%lin+{8 * i}];', f'setp.ne.b32 %p{n}, %r0, 0;']
        else:
            lines.append(f'ld.b{BITS[k]} %{k}{n}, [%lin+{8 * i}];')
    for k, n in outs:
        lines.append(f'setp.ne.b32 %p{n}, 0, 0;' if k == 'p' else f'mov.b{BITS[k]} %{k}{n}, 0x{"a5" * (BITS[k] // 8)};')
    lines.append(text)
    for i, (k, n) in enumerate(outs):
        if k == 'p':
            lines += [f'selp.b32 %r0, 1, 0, %p{n};', f'st.b32 [%lout+{8 * i}], %r0;']
        else:
            lines.append(f'st.b{BITS[k]} [%lout+{8 * i}], %{k}{n};')
    body = '\n  '.join(lines)
    return (f'.version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, '
            f'.param .u64 out, .param .u64 mem)\n{{\n  {body}\n  ret;\n}}\n'), outs


def read(path):
    cases = []
    for number, line in enumerate(sys.stdin if path == '-' else open(path), 1):
        line = line.rstrip('\n')
        if line.startswith('='):
            cases.append((number, line.split(' ', 1)[1], []))
        elif line and not line.startswith('#'):
            left, right = line.split('->')
            cases[-1][2].append((left.split(), right.split()))
    return cases


class Gpu:
    def __init__(self):
        self.cuda = ctypes.CDLL('libcuda.so.1')
        self.call('cuInit', 0)
        device = ctypes.c_int()
        self.call('cuDeviceGet', ctypes.byref(device), 0)
        context = ctypes.c_void_p()
        self.call('cuDevicePrimaryCtxRetain', ctypes.byref(context), device)
        self.call('cuCtxSetCurrent', context)

    def call(self, name, *args):
        error = getattr(self.cuda, name)(*args)
        if error != 0:
            raise RuntimeError(f'{name}: error {error}')

    def allocate(self, data):
        address = ctypes.c_uint64()
        self.call('cuMemAlloc_v2', ctypes.byref(address), ctypes.c_size_t(len(data)))
        self.call('cuMemcpyHtoD_v2', address, data, ctypes.c_size_t(len(data)))
        return address

    def run(self, ptx, rows):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        log = ctypes.create_string_buffer(4096)
        options = (ctypes.c_int * 2)(5, 6)  # the error log buffer and its size
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), 4096)
        error = self.cuda.cuModuleLoadDataEx(ctypes.byref(module), ptx.encode(), 2, options, values)
        if error != 0:
            raise RuntimeError(f'error {error}: ' + log.value.decode().replace('\n', ' ')[:300])
        self.call('cuModuleGetFunction', ctypes.byref(function), module, b'k')
        threads = (len(rows) + 31) // 32 * 32
        words = bytearray()
        for i in range(threads):
            row = [int(w, 16) for w in rows[i % len(rows)][0]]
            words += struct.pack('<5Q', *(row + [0] * (5 - len(row))))
        memory = bytes(256) + bytes((0x80 + 7 * i) & 0xFF for i in range(64)) * threads
        out = self.allocate(bytes(threads * 32))
        pointers = [self.allocate(bytes(words)), out, self.allocate(memory)]
        args = (ctypes.c_void_p * 3)(*(ctypes.addressof(p) for p in pointers))
        self.call('cuLaunchKernel', function, 1, 1, 1, threads, 1, 1, 0, None, args, None)
        self.call('cuCtxSynchronize')
        back = ctypes.create_string_buffer(threads * 32)
        self.call('cuMemcpyDtoH_v2', back, out, ctypes.c_size_t(threads * 32))
        for pointer in pointers:
            self.call('cuMemFree_v2', pointer)
        self.call('cuModuleUnload', module)
        return [struct.unpack_from('<4Q', back, 32 * i) for i in range(threads)]


def is_nan(bits, kind):
    exponent, fraction = {'h': (5, 10), 'r': (8, 23), 'l': (11, 52)}[kind]
    return bits & ((1 << (exponent + fraction)) - 1) > ((1 << exponent) - 1) << fraction


def is_right(got, want, kind, text):
    if want == 'nan':
        return is_nan(got, kind)
    if not want.startswith('~'):
        return got == int(want, 16)
    want = int(want[1:], 16)
    if '16 ' in text or '16x2 ' in text:  # allows one unit in the last place of each half
        halves = [(got >> s & 0xFFFF, want >> s & 0xFFFF) for s in (0, 16)]
        return all(abs(g - w) <= 1 or is_nan(g, 'h') and is_nan(w, 'h') for g, w in halves)
    if is_nan(want, kind):
        return is_nan(got, kind)
    # sin.approx and cos.approx have an absolute error below 2^-19, and tanh.approx has a relative
    # error of 2^-11.
    if kind == 'r' and abs(got - want) > 64:
        as_float = lambda bits: struct.unpack('<f', struct.pack('<I', bits))[0]
        error = abs(as_float(got) - as_float(want))
        return error < (abs(as_float(want)) * 2**-11 if text.startswith('tanh') else 2**-19)
    return abs(got - want) <= (1 << 33 if kind == 'l' else 64)


def shown(value, kind, text):
    """Returns a value as text. PTX does not define the payload of an f64 NaN."""
    return 'nan' if kind == 'l' and '.f64' in text and is_nan(value, 'l') else f'{value:x}'


def record(gpu, path):
    flags = [line.split(' ', 1)[0] for line in open(path) if line.startswith('=')] if path != '-' else None
    print('# Recorded from an H200 by check_instructions.py.')
    for index, (number, text, rows) in enumerate(read(path)):
        ptx, outs = kernel(text)
        print(flags[index] if flags else '=w', text)
        for (inputs, _), result in zip(rows, gpu.run(ptx, rows)):
            print(' '.join(inputs), '->', ' '.join(shown(v, kind, text) for v, (kind, _) in zip(result, outs)))


def main():
    gpu = Gpu()
    different = 0
    if sys.argv[1] == '--record':
        return record(gpu, sys.argv[2])
    cases = read(sys.argv[1])
    for number, text, rows in cases:
        ptx, outs = kernel(text)
        try:
            results = gpu.run(ptx, rows)
        except RuntimeError as error:
            print(f'line {number}: {text}: {error}')
            different += 1
            continue
        wrong = []
        for i, result in enumerate(results):
            inputs, wanted = rows[i % len(rows)]
            for k, want in enumerate(wanted):
                right = is_right(result[k], want, outs[k][0], text)
                if not right:
                    wrong.append(f'  {" ".join(inputs)}: expected {want}, the GPU gives {result[k]:x}')
        if wrong:
            different += 1
            print(f'line {number}: {text}: {len(wrong)} differ', *wrong[:3], sep='\n')
    print(f'{len(cases)} cases, {different} differ')


main()
