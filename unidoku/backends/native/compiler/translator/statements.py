"""Translate the statements of a function."""

from __future__ import annotations

import ast

from llvmlite import ir

from unidoku.backends.native.compiler.translator.emitted import I64, room
from unidoku.backends.native.compiler.translator.expressions import Expressions, Value


class Statements(Expressions):
    """A function while its statements are translated, one after the other."""

    loops: list[tuple[ir.Block, ir.Block]]
    """For each loop around the statement, where its next round begins, and what follows it."""

    result: Value = None
    """A value that the function returns."""

    def translated(self) -> Value:
        """Translate all statements; return a result in the shape of all results, None for none."""
        self.loops = []
        self.statements(self.tree.body)
        last = self.builder.block
        if last.is_terminated:
            return self.result
        if self.result is None:
            self.builder.ret_void()
        elif any(
            last in block.terminator.operands for block in self.target.blocks if block is not last
        ):
            raise TypeError(f"{self.tree.name}: expected a result wherever it ends, got none")
        else:
            self.builder.unreachable()
        return self.result

    def statements(self, nodes: list[ast.stmt]) -> None:
        """Translate statements."""
        for node in nodes:
            self.statement(node)

    def statement(self, node: ast.stmt) -> None:
        """Translate a statement."""
        match node:
            case ast.Assign():
                value = self.value(node.value)
                for target in node.targets:
                    self.store(target, value)
            case ast.AugAssign():
                self.change(node)
            case ast.Expr(value=ast.Constant()):
                pass  # the docstring
            case ast.Expr():
                self.value(node.value)
            case ast.If():
                self.condition(node)
            case ast.While(orelse=[]):
                self.repeat(node)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=numbers), orelse=[]):
                self.count(node, name, [self.number(argument) for argument in numbers])
            case ast.Return():
                self.end(node)
            case ast.Break():
                self.builder.branch(self.loops[-1][1])
            case ast.Continue():
                self.builder.branch(self.loops[-1][0])
            case _:
                self.refuse(node)

    def store(self, target: ast.expr, value: Value) -> None:
        """Translate the assignment of a value."""
        match target:
            case ast.Name(id=name):
                self.assign(name, value)
            case ast.Subscript():
                self.write(self.place(target), value)
            case ast.Tuple(elts=targets):
                for element, member in zip(targets, value, strict=True):
                    self.store(element, member)
            case _:
                self.refuse(target)

    def assign(self, name: str, value: Value) -> None:
        """Give a variable a value."""
        if isinstance(value, tuple) or value.type.is_pointer:
            if name in self.fixed:
                self.refuse(ast.Name(name))
            self.fixed[name] = value
            return
        if name not in self.slots:
            self.slots[name] = room(self.builder, value.type)
        slot = self.slots[name]
        self.builder.store(self.fitting(value, slot.type.pointee), slot)

    def change(self, node: ast.AugAssign) -> None:
        """Translate the assignment of what an operator makes of the value before."""
        match node.target:
            case ast.Subscript():
                pointer = self.place(node.target)
                old = self.read(pointer)
                self.write(pointer, self.operation(node, node.op, old, self.value(node.value)))
            case ast.Name(id=name):
                old = self.value(node.target)
                self.assign(name, self.operation(node, node.op, old, self.value(node.value)))
            case _:
                self.refuse(node)

    def write(self, pointer: ir.Value, value: ir.Value) -> None:
        """Write a number to a place, which may have room for fewer bits."""
        value = self.widened(value)
        if pointer.type.pointee != I64:
            value = self.builder.trunc(value, pointer.type.pointee)
        self.builder.store(value, pointer)

    def condition(self, node: ast.If) -> None:
        """Translate a condition and the statements that depend on it."""
        yes, end = self.new_block(), self.new_block()
        no = self.new_block() if node.orelse else end
        self.jump(node.test, yes, no)
        for begin, nodes in ((yes, node.body), (no, node.orelse)):
            if nodes:
                self.builder.position_at_end(begin)
                self.statements(nodes)
                self.go_on(end)
        self.builder.position_at_end(end)

    def repeat(self, node: ast.While) -> None:
        """Translate a loop with a condition."""
        head, body, end = self.new_block(), self.new_block(), self.new_block()
        self.builder.branch(head)
        self.builder.position_at_end(head)
        self.jump(node.test, body, end)
        self.builder.position_at_end(body)
        self.in_loop(node.body, head, end)

    def count(self, node: ast.For, name: str, numbers: list[ir.Value]) -> None:
        """Translate a loop over a range, whose step is constant."""
        if len(numbers) == 1:
            numbers.insert(0, ir.Constant(I64, 0))
        first, stop, step = (*numbers, ir.Constant(I64, 1))[:3]
        if not isinstance(step, ir.Constant):
            self.refuse(node.iter)
        begin = self.builder.block
        head, body, later, end = (self.new_block() for _ in range(4))
        self.builder.branch(head)
        self.builder.position_at_end(head)
        number = self.builder.phi(I64)
        number.add_incoming(first, begin)
        order = "<" if step.constant > 0 else ">"
        self.builder.cbranch(self.builder.icmp_signed(order, number, stop), body, end)
        self.builder.position_at_end(body)
        self.assign(name, number)
        self.in_loop(node.body, later, end)
        self.builder.position_at_end(later)
        number.add_incoming(self.builder.add(number, step, flags=("nsw",)), later)
        self.builder.branch(head)
        self.builder.position_at_end(end)

    def in_loop(self, nodes: list[ast.stmt], again: ir.Block, end: ir.Block) -> None:
        """Translate the statements of a loop; what is emitted next follows the loop."""
        self.loops.append((again, end))
        self.statements(nodes)
        self.go_on(again)
        self.loops.pop()
        self.builder.position_at_end(end)

    def end(self, node: ast.Return) -> None:
        """Translate what ends the function."""
        if node.value is None:
            self.builder.ret_void()
            return
        value = self.value(node.value)
        if isinstance(value, tuple):
            members = [self.widened(number) for number in value]
            kind = ir.LiteralStructType([member.type for member in members])
            result = ir.Constant(kind, ir.Undefined)
            for index, number in enumerate(members):
                result = self.builder.insert_value(result, number, index)
        else:
            kind, result = value.type, value
        if self.result is None:
            self.result = value
            self.target.ftype.return_type = self.target.return_value.type = kind
        if kind != self.target.ftype.return_type:
            self.refuse(node)
        self.builder.ret(result)

    def go_on(self, block: ir.Block) -> None:
        """Go on at a block, unless the statements before have gone elsewhere."""
        if not self.builder.block.is_terminated:
            self.builder.branch(block)
