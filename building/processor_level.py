"""What an x86-64 processor can do, found by its own instructions: a function of the library.

Neither a package nor a file of the system is needed, so that it is the same on Linux, macOS and
Windows. The bits are those of Intel's manual, volume 2, CPUID; the levels those of the psABI.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# The translator infers the types here; mypy does not.

from __future__ import annotations

from llvmlite import ir

from unidoku.backends.native.compiler.translator.emitted import I64, Emitted

_I32 = ir.IntType(32)

SSE3, SSSE3, CMPXCHG16B, SSE4_1, SSE4_2, POPCNT = (1 << bit for bit in (0, 9, 13, 19, 20, 23))
FMA, MOVBE, OSXSAVE, AVX, F16C = (1 << bit for bit in (12, 22, 27, 28, 29))
V2_FEATURES = SSE3 | SSSE3 | CMPXCHG16B | SSE4_1 | SSE4_2 | POPCNT
V3_FEATURES = FMA | MOVBE | OSXSAVE | AVX | F16C
"""Of leaf 1, register C."""

BMI1, AVX2, BMI2 = (1 << bit for bit in (3, 5, 8))
AVX512F, AVX512DQ, AVX512CD, AVX512BW, AVX512VL = (1 << bit for bit in (16, 17, 28, 30, 31))
V3_EXTENSIONS = BMI1 | AVX2 | BMI2
V4_EXTENSIONS = AVX512F | AVX512DQ | AVX512CD | AVX512BW | AVX512VL
"""Of leaf 7, register B."""

AVX512_VBMI, AVX512_VBMI2, GFNI, AVX512_BITALG, AVX512_VPOPCNTDQ = (
    1 << bit for bit in (1, 6, 8, 12, 14)
)
V5_EXTENSIONS = AVX512_VBMI | AVX512_VBMI2 | GFNI | AVX512_BITALG | AVX512_VPOPCNTDQ
"""Of leaf 7, register C."""

EXTENDED = 0x80000001
LZCNT = 1 << 5
"""Of the leaf `EXTENDED`, register C."""

YMM_STATE, ZMM_STATE = 0x06, 0xE6
"""Registers that the system must save when it changes threads."""


@Emitted
def cpuid(builder, leaf, part):
    """Return the registers A, B, C and D after the instruction CPUID."""
    registers = ir.LiteralStructType([_I32] * 4)
    kind = ir.FunctionType(registers, [_I32, _I32])
    arguments = [builder.trunc(number, _I32) for number in (leaf, part)]
    result = builder.asm(kind, "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}", arguments, False)
    return tuple(builder.zext(builder.extract_value(result, index), I64) for index in range(4))


@Emitted
def saved_registers(builder):
    """Return the registers that the system saves; only where CPUID has `OSXSAVE`."""
    kind = ir.FunctionType(ir.LiteralStructType([_I32, _I32]), [_I32])
    zero = ir.Constant(_I32, 0)
    result = builder.asm(kind, "xgetbv", "={ax},={dx},{cx}", [zero], True)
    return builder.zext(builder.extract_value(result, 0), I64)


def _has(register, features):
    return register & features == features


def level(_):
    """Return the highest level that the processor and the system support, from 1."""
    last_leaf, _, _, _ = cpuid(0, 0)
    _, _, features, _ = cpuid(1, 0)
    if not _has(features, V2_FEATURES):
        return 1
    if last_leaf < 7 or not _has(features, V3_FEATURES):
        return 2
    _, extensions, more_extensions, _ = cpuid(7, 0)
    _, _, extended, _ = cpuid(EXTENDED, 0)
    saved = saved_registers()
    if not (_has(extensions, V3_EXTENSIONS) and _has(extended, LZCNT) and _has(saved, YMM_STATE)):
        return 2
    if not (_has(extensions, V4_EXTENSIONS) and _has(saved, ZMM_STATE)):
        return 3
    return 5 if _has(more_extensions, V5_EXTENSIONS) else 4
