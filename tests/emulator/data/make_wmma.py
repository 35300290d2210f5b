"""Writes cases of the matrix instructions that move matrices: wmma, ldmatrix, stmatrix, movmatrix.

%ru is the shared address of 32 bytes for each lane of the one warp.
"""
import itertools

from make_matrix import case

PLACE = '.reg .b32 %q<20>; mov.u32 %rt, smem; sub.u32 %ru, %rs, %rt; add.u32 %ru, %ru, %rs; '
# The registers of each fragment, for a, b and c, by shape and types.
WMMA = {('m16n16k16', 'f16'): (8, 8, 8), ('m32n8k16', 'f16'): (8, 8, 8), ('m8n32k16', 'f16'): (8, 8, 8),
        ('m16n16k16', 'bf16'): (4, 4, 8), ('m32n8k16', 'bf16'): (8, 2, 8), ('m8n32k16', 'bf16'): (2, 8, 8),
        ('m16n16k16', 's8'): (2, 2, 8), ('m32n8k16', 's8'): (4, 1, 8), ('m8n32k16', 's8'): (1, 4, 8),
        ('m16n16k8', 'tf32'): (4, 4, 8)}
BITS = {'f16': 16, 'bf16': 16, 's8': 8, 'u8': 8, 'tf32': 32, 'f32': 32, 's32': 32}


def sizes(shape):
    m, rest = shape[1:].split('n')
    n, k = rest.split('k')
    return int(m), int(n), int(k)


def regs(first, count):
    return '{' + ', '.join(f'%q{first + i}' for i in range(count)) + '}'


def numbered(bits):
    """Writes the place of each element into it: of bytes the place in one of eight groups of lanes. %la: the lane."""
    per = 64 // bits
    ones = sum(1 << (bits * j) for j in range(per))
    inside = sum(j << (bits * j) for j in range(per))
    text = ''.join(f'mad.lo.u64 %l{"tu"[i % 2]}, %la, {4 * per * ones}, {inside + i * per * ones}; '
                   + (f'st.shared.v2.b64 [%ru+{8 * i - 8}], {{%lt, %lu}}; ' if i % 2 else '') for i in range(4))
    return text + 'bar.sync 0; '


def fragments():
    """Adds a case that shows where each element of a fragment comes from."""
    for (shape, kind), counts in WMMA.items():
        m, n, k = sizes(shape)
        result = 's32' if kind == 's8' else 'f32'
        for which, count, layout in itertools.product('abc', (0,), ('row', 'col')):
            count = counts['abc'.index(which)]
            kinds = ['f16', 'f32'] if (which, kind) == ('c', 'f16') else [result if which == 'c' else kind]
            for element in kinds:
                if element == 'f16' and which == 'c':
                    count = 4
                elif which == 'c':
                    count = 8
                rows, cols = {'a': (m, k), 'b': (k, n), 'c': (m, n)}[which]
                stride = cols if layout == 'row' else rows
                text = PLACE + numbered(BITS[element]) + f'wmma.load.{which}.sync.aligned.{layout}.{shape}.shared.{element} {regs(0, count)}, [smem], {stride}; '
                for i, out in zip(range(0, count, 2), 'wxyz'):
                    text += f'mov.b64 %l{out}, {{%q{i}, %q{min(i + 1, count - 1)}}}; '
                groups = (lambda i, _: i % 8, lambda i, _: i // 8) if BITS[element] == 8 else (lambda i, _: i,)
                for group in groups:
                    case(text.strip(), [group], ('low',))


def products():
    """Adds a case of load, mma and store together. a is at byte 0 of shared memory, b at 1024, c at 2048."""
    for (shape, kind), (na, nb, _) in WMMA.items():
        m, n, k = sizes(shape)
        kinds = [('f16', 'f16', 'f16'), ('f16', 'f32', 'f16'), ('f16', 'f16', 'f32'), ('f16', 'f32', 'f32')] if kind == 'f16' else [
            (kind, 's32' if kind == 's8' else 'f32', 's32' if kind == 's8' else 'f32')]
        if kind == 's8':
            kinds.append(('u8', 's32', 's32'))
        for index, (of, d, c) in enumerate(kinds):
            la, lb, lc, ld = [('row', 'col', 'row', 'row'), ('col', 'row', 'col', 'row'), ('row', 'row', 'row', 'col'), ('col', 'col', 'col', 'col')][index % 4]
            nc, nd = (4 if c == 'f16' else 8), (4 if d == 'f16' else 8)
            stride = lambda layout, rows, cols: cols if layout == 'row' else rows
            text = PLACE + ('st.shared.v2.b64 [%ru], {%la, %lb}; st.shared.v2.b64 [%ru+16], {%lb, %la}; '
                            'st.shared.v2.b64 [%ru+1024], {%lc, %ld}; st.shared.v2.b64 [%ru+1040], {%ld, %lc}; '
                            'st.shared.v2.b64 [%ru+2048], {%le, %le}; st.shared.v2.b64 [%ru+2064], {%le, %le}; bar.sync 0; '
                            '.reg .b32 %a<8>, %b<8>, %c<8>, %d<8>; ')
            v = lambda name, count: '{' + ', '.join(f'%{name}{i}' for i in range(count)) + '}'
            text += f'wmma.load.a.sync.aligned.{la}.{shape}.shared.{of} {v("a", na)}, [smem], {stride(la, m, k)}; '
            text += f'wmma.load.b.sync.aligned.{lb}.{shape}.shared.{of} {v("b", nb)}, [smem+1024], {stride(lb, k, n)}; '
            text += f'wmma.load.c.sync.aligned.{lc}.{shape}.shared.{c} {v("c", nc)}, [smem+2048], {stride(lc, m, n)}; '
            types = f'{d}.{c}' if of == 'f16' else f'{d}.{of}.{of}.{c}'
            finite = '.satfinite' if of == 'u8' else ''
            text += f'wmma.mma.sync.aligned.{la}.{lb}.{shape}.{types}{finite} {v("d", nd)}, {v("a", na)}, {v("b", nb)}, {v("c", nc)}; '
            text += f'wmma.store.d.sync.aligned.{ld}.{shape}.shared.{d} [smem+2048], {v("d", nd)}, {stride(ld, m, n)}; bar.sync 0; '
            text += 'ld.shared.v2.b64 {%lw, %lx}, [%ru+2048]; ld.shared.v2.b64 {%ly, %lz}, [%ru+2064];'
            for style in ('small', 'edge') if of in ('s8', 'u8') else ('small', 'wide', 'edge'):  # a warp each: they share the memory
                case(text, [of] * 4 + [c], (style,))


def rows_of_matrices():
    """Adds cases of ldmatrix and stmatrix, in which each lane gives the address of a row of 16 bytes."""
    scatter = lambda lane, _: (lane * 7 + 3) % 32 * 16
    for count, transposed in itertools.product((1, 2, 4), ('', '.trans')):
        names = ', '.join(f'%r{x}' for x in 'wxyz'[:count])
        case(f'st.shared.v2.b64 [%rs], {{%la, %lb}}; bar.sync 0; mov.u32 %rt, smem; add.u32 %rt, %rt, %rc; '
             f'ldmatrix.sync.aligned.m8n8.x{count}{transposed}.shared.b16 {{{names}}}, [%rt];', ['s8', 's8', scatter], ('small',))
        sources = ', '.join(f'%q{i}' for i in range(count))
        case('.reg .b32 %q<4>; mov.b64 {%q0, %q1}, %la; mov.b64 {%q2, %q3}, %lb; st.shared.v2.b64 [%rs], {0, 0}; bar.sync 0; '
             f'mov.u32 %rt, smem; add.u32 %rt, %rt, %rc; stmatrix.sync.aligned.m8n8.x{count}{transposed}.shared.b16 [%rt], {{{sources}}}; '
             'bar.sync 0; ld.shared.v2.b64 {%lw, %lx}, [%rs];', ['s8', 's8', scatter], ('small',))
    case('movmatrix.sync.aligned.m8n8.trans.b16 %rx, %ra;', ['s8'], ('small',))


def doubles():
    """Adds cases of wmma of f64, with one shape, whose lanes have an element of a and b and two of c and d."""
    half = 'mov.u32 %rt, smem; sub.u32 %ru, %rs, %rt; shr.u32 %ru, %ru, 1; add.u32 %ru, %ru, %rt; '
    for which, layout in itertools.product('ab', ('row', 'col')):
        stride = 4 if (which, layout) in (('a', 'row'), ('b', 'col')) else 8
        case(half + f'st.shared.b64 [%ru], %la; bar.sync 0; wmma.load.{which}.sync.aligned.{layout}.m8n8k4.shared.f64 {{%lw}}, [smem], {stride};',
             ['f64'], ('wide',))
    for layout in ('row', 'col'):
        case(f'st.shared.v2.b64 [%rs], {{%la, %lb}}; bar.sync 0; wmma.load.c.sync.aligned.{layout}.m8n8k4.shared.f64 {{%lw, %lx}}, [smem], 8;',
             ['f64', 'f64'], ('wide',))
        case(f'wmma.store.d.sync.aligned.{layout}.m8n8k4.shared.f64 [smem], {{%la, %lb}}, 8; bar.sync 0; ld.shared.v2.b64 {{%lw, %lx}}, [%rs];',
             ['f64', 'f64'], ('wide',))
    for a, b in itertools.product(('row', 'col'), repeat=2):
        case(f'wmma.mma.sync.aligned.{a}.{b}.m8n8k4.f64.f64.f64.f64 {{%lw, %lx}}, {{%la}}, {{%lb}}, {{%lc, %ld}};', ['f64'] * 4,
             ('small', 'wide', 'edge'))


def everything():
    fragments()
    products()
    rows_of_matrices()
    doubles()
