#!/usr/bin/env python3
"""Writes async.txt: cases of mbarriers, asynchronous copies, elect and wmma of f64, as make_instructions.py does.

  make_async.py > async.txt

One warp each. %rs is the lane's 16 bytes of shared memory, `smem` the block's, %lg 256 bytes of
global memory that are zero, %lm the lane's 64 bytes, byte i of which is 0x80 + 7 i.
"""
import random
import struct

from make_instructions import ONES, warp_case

random.seed(13)
CELL = [(0x80 + 7 * i) & 0xFF for i in range(64)]
LANES = list(range(32))
FIRST = 'setp.eq.u32 %pt, %rlane, 0; '


def read(at, n):
    return sum(CELL[(at + i) % 64] << (8 * i) for i in range(n))


def barriers():
    init = FIRST + '@%pt mbarrier.init.shared.b64 [smem], {}; bar.sync 0; '
    test = 'mbarrier.test_wait.shared.b64 %p{}, [smem], {}; '
    parity = 'mbarrier.test_wait.parity.shared::cta.b64 %p{}, [smem], {}; '
    # If every lane arrives, the phase ends, and the next one has begun.
    warp_case(init.format(32) + parity.format('w', 0) + parity.format('x', 1) + 'bar.sync 0; mbarrier.arrive.shared.b64 %lt, [smem]; '
              'bar.sync 0; ' + test.format('y', '%lt') + parity.format('z', 1) + 'mov.b32 %rt, %ra;',
              LANES, lambda r: [(0, 1, 1, 0)] * 32)
    # In this case one arrival is missing.
    warp_case(init.format(33) + 'mbarrier.arrive.shared::cta.b64 %lt, [smem]; bar.sync 0; ' + test.format('y', '%lt')
              + parity.format('z', 0) + '@%pt mbarrier.arrive.release.cta.shared::cta.b64 _, [smem]; bar.sync 0; '
              + 'mbarrier.test_wait.acquire.cta.shared::cta.b64 %pw, [smem], %lt; mbarrier.try_wait.parity.shared.b64 %px, [smem], 0; mov.b32 %rt, %ra;',
              LANES, lambda r: [(1, 1, 0, 0)] * 32)
    # In this case there are two phases, and a third that lacks one arrival.
    arrive = '@%pt mbarrier.arrive.shared.b64 %lt, [smem]; bar.sync 0; '
    warp_case(init.format(1) + parity.format('w', 0) + arrive + parity.format('x', 0) + arrive + parity.format('y', 1)
              + parity.format('z', 0) + 'mov.b32 %rt, %ra;', LANES, lambda r: [(0, 1, 1, 0)] * 32)
    # In this case several arrivals are made at once; the results are the pending counts before
    # them.
    warp_case(init.format(20) + '@%pt mbarrier.arrive.shared.b64 %lt, [smem], 7; @%pt mbarrier.pending_count.b64 %rx, %lt; bar.sync 0; '
              '@%pt mbarrier.arrive.noComplete.shared.b64 %lu, [smem], 3; @%pt mbarrier.pending_count.b64 %ry, %lu; bar.sync 0; '
              '@%pt mbarrier.arrive.shared.b64 %lv, [smem], 10; bar.sync 0; ' + parity.format('z', 0) + 'mov.b32 %rt, %ra;',
              LANES, lambda r: [(20, 13, 1) if i == 0 else (0xA5A5A5A5, 0xA5A5A5A5, 1) for i in range(32)])
    # After arrive_drop, one arrival less is expected from the next phase on.
    warp_case(init.format(2) + '@%pt mbarrier.arrive_drop.shared.b64 %lt, [smem]; bar.sync 0; ' + parity.format('w', 0) + arrive
              + parity.format('x', 0) + arrive + parity.format('y', 1) + 'mov.b32 %rt, %ra;', LANES, lambda r: [(0, 1, 1)] * 32)
    # The phase does not end before the expected bytes have arrived.
    warp_case(init.format(1) + '@%pt mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %lt, [smem], 48; bar.sync 0; '
              + parity.format('w', 0) + '@%pt mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [smem], 32; bar.sync 0; ' + parity.format('x', 0)
              + '@%pt mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [smem], 16; bar.sync 0; ' + parity.format('y', 0) + 'mov.b32 %rt, %ra;',
              LANES, lambda r: [(0, 0, 1)] * 32)
    warp_case(init.format(1) + '@%pt mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [smem], 16; @%pt mbarrier.arrive.shared.b64 _, [smem]; bar.sync 0; '
              + parity.format('w', 0) + '@%pt mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [smem], 16; bar.sync 0; ' + parity.format('x', 0) + 'mov.b32 %rt, %ra;',
              LANES, lambda r: [(0, 1)] * 32)
    # These cases use a generic address, wait in a loop, and put another barrier in its place.
    generic = 'mov.u32 %rt, smem; cvt.u64.u32 %lu, %rt; cvta.shared.u64 %lu, %lu; '
    warp_case(generic + FIRST + '@%pt mbarrier.init.b64 [%lu], 32; bar.sync 0; mbarrier.arrive.b64 %lt, [%lu]; '
              'AGAIN: mbarrier.try_wait.b64 %pu, [%lu], %lt; @!%pu bra AGAIN; bar.sync 0; @%pt mbarrier.inval.shared.b64 [smem]; bar.sync 0; '
              '@%pt mbarrier.init.shared.b64 [smem], 5; bar.sync 0; mbarrier.test_wait.parity.b64 %pw, [%lu], 0; '
              'fence.mbarrier_init.release.cluster; fence.proxy.async; membar.proxy.alias; mov.b32 %rx, %ra;', LANES, lambda r: [(0, v) for v in r])


def copies():
    init = FIRST + '@%pt mbarrier.init.shared.b64 [smem+8192], {}; bar.sync 0; '
    words = [random.getrandbits(32) for _ in range(32)]
    for how, result in (('', 0), ('.noinc', 1)):
        # Without .noinc, a copy adds the arrival that it makes to the expected count.
        count = 32
        warp_case(init.format(count) + 'st.global.b32 [%lm], %ra; cp.async.ca.shared.global [%rs], [%lm], 4; '
                  f'cp.async.mbarrier.arrive{how}.shared.b64 [smem+8192]; cp.async.wait_all; bar.sync 0; ld.shared.b32 %rx, [%rs]; '
                  'mbarrier.test_wait.parity.shared.b64 %py, [smem+8192], 0;', words, lambda r: [(v, result) for v in r])
    warp_case('st.global.b32 [%lm], %ra; cp.async.cg.shared.global.L2::128B [%rs], [%lm], 16; cp.async.commit_group; st.global.b32 [%lm+16], 7; '
              'cp.async.ca.shared.global [%rs+2048], [%lm+16], 8; cp.async.commit_group; cp.async.wait_group 1; ld.shared.b32 %rx, [%rs]; '
              'cp.async.wait_group 0; ld.shared.b32 %ry, [%rs+2048]; ld.shared.b32 %rz, [%rs+12];', words, lambda r: [(v, 7, read(12, 4)) for v in r])
    # One lane copies 256 bytes, the cells 0 to 3.
    bulk = 'cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [smem], [%lm], 256, [smem+8192]; '
    wait = 'AGAIN: mbarrier.try_wait.parity.shared::cta.b64 %pu, [smem+8192], 0; @!%pu bra AGAIN; '
    warp_case(init.format(1) + 'st.shared.v2.b64 [%rs], {0, 0}; st.global.b32 [%lm+4], %ra; fence.proxy.async; bar.sync 0; @!%pt bra WAIT; '
              'mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [smem+8192], 256; ' + bulk + 'WAIT: ' + wait + 'ld.shared.b64 %lx, [%rs]; ld.shared.b64 %ly, [%rs+8];',
              words, lambda r: [((r[i // 4] << 32 | read(16 * i, 4)) if i % 4 == 0 else read(16 * i, 8), read(16 * i + 8, 8)) if i < 16 else (0, 0)
                                for i in range(32)])
    # One lane copies 64 bytes back, from shared memory to the first cell.
    warp_case('st.shared.v2.b32 [%rs], {%ra, 3}; st.shared.b64 [%rs+8], 9; fence.proxy.async.shared::cta; bar.sync 0; ' + FIRST +
              '@%pt cp.async.bulk.global.shared::cta.bulk_group [%lm], [smem], 64; cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; '
              'cp.async.bulk.wait_group 0; bar.sync 0; ld.global.v2.b32 {%rw, %rx}, [%lm]; ld.global.b64 %ly, [%lm+24]; prefetch.global.L2::evict_last [%lm]; '
              'cp.async.bulk.prefetch.L2.global [%lm], 64;', words,
              lambda r: [(r[0], 3, 9) if i == 0 else (read(0, 4), read(4, 4), read(24, 8)) for i in range(32)])


def leaders():
    warp_case('elect.sync %rx|%py, -1; mov.b32 %rt, %ra;', LANES, lambda r: [(0, int(i == 0)) for i in range(32)])
    warp_case('setp.ge.u32 %pt, %ra, 5; @%pt elect.sync %rx|%py, 0xffffffe0;', LANES, lambda r: [(5, int(i == 5)) if i >= 5 else (0xA5A5A5A5, 0) for i in range(32)])
    warp_case('elect.sync _|%py, -1; mov.b32 %rt, %ra;', LANES, lambda r: [int(i == 0) for i in range(32)])
    warp_case('mov.u32 %rt, %clock; nanosleep.u32 50; mov.u32 %ru, %clock; setp.ne.u32 %px, %rt, %ru; mov.u64 %lt, %clock64; mov.u64 %lu, %clock64; '
              'setp.lt.u64 %py, %lt, %lu; mov.u64 %lv, %globaltimer; setp.ne.u64 %pz, %lv, 0; mov.b32 %rv, %ra;', LANES, lambda r: [(1, 1, 1)] * 32)
    warp_case('createpolicy.fractional.L2::evict_last.b64 %lt, 0f3F800000; ld.global.L2::cache_hint.b32 %rx, [%lm+4], %lt; mov.b32 %rt, %ra;',
              LANES, lambda r: [read(4, 4)] * 32)


def doubles():
    """Checks that wmma of f64 gives the same as mma for the same elements; this needs no GPU."""
    text = ('.reg .b64 %d<6>; mov.u32 %rt, smem; mad.lo.u32 %ru, %rlane, 8, %rt; '
            'st.shared.b64 [%ru], %la; st.shared.b64 [%ru+1024], %lb; mad.lo.u32 %ru, %rlane, 16, %rt; st.shared.v2.b64 [%ru+2048], {%lc, %ld}; '
            'bar.sync 0; wmma.load.a.sync.aligned.row.m8n8k4.shared.f64 {%d0}, [smem], 4; wmma.load.b.sync.aligned.col.m8n8k4.shared.f64 {%d1}, [smem+1024], 4; '
            'wmma.load.c.sync.aligned.row.m8n8k4.shared.f64 {%d2, %d3}, [smem+2048], 8; '
            'wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64 {%d2, %d3}, {%d0}, {%d1}, {%d2, %d3}; bar.sync 0; '
            'wmma.store.d.sync.aligned.row.m8n8k4.shared.f64 [smem+2048], {%d2, %d3}, 8; bar.sync 0; ld.shared.v2.b64 {%d2, %d3}, [%ru+2048]; '
            'mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d4, %d5}, {%la}, {%lb}, {%lc, %ld}; setp.eq.b64 %px, %d2, %d4; setp.eq.b64 %py, %d3, %d5;')
    rows = [tuple(struct.unpack('<Q', struct.pack('<d', random.uniform(-9, 9)))[0] for _ in range(4)) for _ in LANES]
    warp_case(text, rows, lambda r: [(1, 1)] * 32)


if __name__ == '__main__':
    print('# Written by make_async.py.')
    barriers()
    copies()
    leaders()
    doubles()
