"""Translate the expressions of a function."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, NoReturn

from llvmlite import ir

from unidoku.backends.native.compiler.translator.emitted import I1, I64, Emitted

Value = Any
"""A number, a truth value or a pointer in LLVM code, or a tuple of these."""

_ORDERS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}

_LOGICAL = {ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor"}
"""LLVM's instructions for operators that make a truth value of two truth values."""

_INSTRUCTIONS: Mapping[type[ast.operator], str] = _LOGICAL | {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.LShift: "shl",
    ast.RShift: "ashr",
}
"""LLVM's instructions for operators."""

_SIGNS: Mapping[type[ast.unaryop], Callable[[int], int]] = {
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
}
"""Operators on one number, each of which is one on constants as well."""

_BUILT_IN = {"abs": abs, "int": int, "max": max, "min": min}
"""Python's own functions that are translated."""


def flat(values: tuple[Value, ...]) -> list[ir.Value]:
    """Return the members of tuples, and whatever is not a tuple."""
    return [
        member for value in values for member in (value if isinstance(value, tuple) else (value,))
    ]


def shaped(like: Value, values: list[ir.Value]) -> Value:
    """Return values as a tuple of the same type as another; the only one if it is not a tuple."""
    if not isinstance(like, tuple):
        return values[0]
    return like._make(values) if hasattr(like, "_make") else tuple(values)


class Expressions:
    """A function while its expressions are translated.

    Args:
        call: emits a call of another function.
        emitters: emit the code of functions that are not translated.
        tree: the function.
        known: what the names outside the function stand for.
        target: the function in LLVM code.
    """

    def __init__(
        self,
        call: Callable[[ir.IRBuilder, Callable[..., Any], tuple[Value, ...]], Value],
        emitters: Mapping[Callable[..., Any], Callable[..., Any]],
        tree: ast.FunctionDef,
        known: Mapping[str, Any],
        target: ir.Function,
    ) -> None:
        self.call, self.emitters, self.tree, self.known, self.target = (
            call,
            emitters,
            tree,
            known,
            target,
        )
        self.builder = ir.IRBuilder(target.append_basic_block())
        self.slots: dict[str, ir.Value] = {}
        self.fixed: dict[str, Value] = {}

    def refuse(self, node: ast.AST) -> NoReturn:
        """Raise the error for what is not in the part of Python that is translated."""
        raise TypeError(f"{self.tree.name}: `{ast.unparse(node)}` cannot be translated")

    def new_block(self) -> ir.Block:
        """Return a new block of the function."""
        return self.builder.append_basic_block()

    def value(self, node: ast.expr) -> Value:
        """Translate an expression."""
        match node:
            case ast.Constant() | ast.Name() | ast.Attribute():
                return self.named(node)
            case ast.Subscript():
                return self.read(self.place(node))
            case ast.Tuple(elts=members):
                return tuple(self.value(member) for member in members)
            case ast.BinOp(left=left, op=op, right=right):
                return self.operation(node, op, self.value(left), self.value(right))
            case ast.UnaryOp(op=ast.Not()) | ast.BoolOp():
                return self.either(node, lambda: ir.Constant(I1, 1), lambda: ir.Constant(I1, 0))
            case ast.UnaryOp(op=op, operand=operand):
                return self.changed(node, op, self.number(operand))
            case ast.Compare():
                return self.compared(node)
            case ast.IfExp(test=test, body=one, orelse=other):
                return self.either(test, lambda: self.value(one), lambda: self.value(other))
            case ast.Call():
                return self.called(node)
        return self.refuse(node)

    def number(self, node: ast.expr) -> ir.Value:
        """Translate an expression whose value is needed as a number."""
        return self.widened(self.value(node))

    def widened(self, value: Value) -> Value:
        """Return a truth value as a number; anything else as it is."""
        if isinstance(value, tuple) or value.type != I1:
            return value
        return self.builder.zext(value, I64)

    def fitting(self, value: ir.Value, kind: ir.Type) -> ir.Value:
        """Return a value of a type: a truth value may be made a number."""
        value = self.widened(value) if kind == I64 else value
        if value.type != kind:
            raise TypeError(f"{self.tree.name}: expected {kind}, got {value.type}")
        return value

    def named(self, node: ast.expr) -> Value:
        """Return the value of a variable, of a member of a tuple, or of a constant."""
        match node:
            case ast.Name(id=name) if name in self.slots:
                return self.builder.load(self.slots[name])
            case ast.Name(id=name) if name in self.fixed:
                return self.fixed[name]
            case ast.Attribute(value=ast.Name(id=name), attr=member) if name in self.fixed:
                return getattr(self.fixed[name], member)
        known = self.known_as(node)
        if not isinstance(known, int):
            self.refuse(node)
        return ir.Constant(I1 if isinstance(known, bool) else I64, int(known))

    def known_as(self, node: ast.expr) -> Any:
        """Return what a name stands for outside the function."""
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name) if name in self.known:
                return self.known[name]
            case ast.Name(id=name) if name in _BUILT_IN:
                return _BUILT_IN[name]
            case ast.Attribute(value=value, attr=member):
                return getattr(self.known_as(value), member)
        return self.refuse(node)

    def place(self, node: ast.Subscript) -> ir.Value:
        """Return the pointer to an indexed number."""
        numbers, index = self.value(node.value), self.number(node.slice)
        return self.builder.gep(numbers, [index])

    def read(self, pointer: ir.Value) -> ir.Value:
        """Return the number that a pointer points to, widened to 64 bits."""
        value = self.builder.load(pointer)
        return value if value.type == I64 else self.builder.sext(value, I64)

    def changed(self, node: ast.expr, op: ast.unaryop, value: ir.Value) -> ir.Value:
        """Return what an operator makes of a number."""
        if type(op) not in _SIGNS:
            self.refuse(node)
        if isinstance(value, ir.Constant):
            return ir.Constant(I64, _SIGNS[type(op)](value.constant))
        return self.builder.neg(value) if isinstance(op, ast.USub) else self.builder.not_(value)

    def operation(
        self, node: ast.AST, op: ast.operator, left: ir.Value, right: ir.Value
    ) -> ir.Value:
        """Return what an operator makes of two numbers."""
        if not (type(op) in _LOGICAL and left.type == right.type == I1):
            left, right = self.widened(left), self.widened(right)
        match op:
            case ast.FloorDiv():
                return self.divided(left, right)[0]
            case ast.Mod():
                return self.divided(left, right)[1]
        if type(op) not in _INSTRUCTIONS:
            self.refuse(node)
        return getattr(self.builder, _INSTRUCTIONS[type(op)])(left, right)

    def divided(self, left: ir.Value, right: ir.Value) -> tuple[ir.Value, ir.Value]:
        """Return the quotient, rounded down, and the remainder."""
        builder, zero = self.builder, ir.Constant(I64, 0)
        divisor = right.constant if isinstance(right, ir.Constant) else 0
        if divisor > 0 and divisor & (divisor - 1) == 0:
            places, rest = (
                ir.Constant(I64, number) for number in (divisor.bit_length() - 1, divisor - 1)
            )
            return builder.ashr(left, places), builder.and_(left, rest)
        rest = builder.srem(left, right)
        differ = builder.icmp_signed("<", builder.xor(rest, right), zero)
        below = builder.and_(builder.icmp_signed("!=", rest, zero), differ)
        quotient = builder.sub(builder.sdiv(left, right), builder.zext(below, I64))
        return quotient, builder.add(rest, builder.select(below, right, zero))

    def compared(self, node: ast.Compare) -> ir.Value:
        """Return whether numbers are in order; all of them are evaluated."""
        numbers = [self.number(operand) for operand in (node.left, *node.comparators)]
        are = None
        for op, left, right in zip(node.ops, numbers, numbers[1:], strict=False):
            if type(op) not in _ORDERS:
                self.refuse(node)
            these = self.builder.icmp_signed(_ORDERS[type(op)], left, right)
            are = these if are is None else self.builder.and_(are, these)
        return are

    def called(self, node: ast.Call) -> Value:
        """Translate a call."""
        function = self.known_as(node.func)
        given = tuple(self.value(arg) for arg in node.args)
        if node.keywords:
            self.refuse(node)
        match function:
            case Emitted():
                return function.emit(self.builder, *map(self.widened, given))
            case FunctionType() if function in self.emitters:
                return self.emitters[function](self.builder, *map(self.widened, given))
            case FunctionType():
                return self.call(self.builder, function, given)
            case type() if issubclass(function, tuple):
                return function(*given)
        numbers = [self.widened(value) for value in given]
        if function is int:
            return numbers[0]
        if function is abs:
            numbers.append(self.builder.neg(numbers[0]))
        if function not in _BUILT_IN.values() or len(numbers) != 2:
            self.refuse(node)
        order = "<=" if function is min else ">="
        return self.builder.select(self.builder.icmp_signed(order, *numbers), *numbers)

    def jump(self, node: ast.expr, yes: ir.Block, no: ir.Block) -> None:
        """Go on at one of two blocks, depending on a condition."""
        match node:
            case ast.BoolOp(op=op, values=[*others, last]):
                for operand in others:
                    further = self.new_block()
                    self.jump(
                        operand, *((further, no) if isinstance(op, ast.And) else (yes, further))
                    )
                    self.builder.position_at_end(further)
                self.jump(last, yes, no)
            case ast.UnaryOp(op=ast.Not()):
                self.jump(node.operand, no, yes)
            case ast.Constant(value=True):
                self.builder.branch(yes)
            case _:
                value = self.value(node)
                if value.type == I64:
                    value = self.builder.icmp_signed("!=", value, ir.Constant(I64, 0))
                self.builder.cbranch(value, yes, no)

    def either(
        self, test: ast.expr, first: Callable[[], Value], second: Callable[[], Value]
    ) -> Value:
        """Return one of two values, depending on a condition; only that one is evaluated."""
        blocks = self.new_block(), self.new_block()
        self.jump(test, *blocks)
        results: list[Value] = []
        ends: list[ir.Block] = []
        for begin, emit in zip(blocks, (first, second), strict=True):
            self.builder.position_at_end(begin)
            results.append(emit())
            ends.append(self.builder.block)
        pairs = zip(*(flat((value,)) for value in results), strict=True)
        kinds = [first.type if first.type == second.type else I64 for first, second in pairs]
        end = self.new_block()
        values = []
        for value, last in zip(results, ends, strict=True):
            self.builder.position_at_end(last)
            values.append([*map(self.fitting, flat((value,)), kinds)])
            self.builder.branch(end)
        self.builder.position_at_end(end)
        chosen = []
        for index, kind in enumerate(kinds):
            phi = self.builder.phi(kind)
            for members, last in zip(values, ends, strict=True):
                phi.add_incoming(members[index], last)
            chosen.append(phi)
        return shaped(results[0], chosen)
