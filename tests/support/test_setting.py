"""Settings of the process: blocks of several threads or tasks end in any order."""

from __future__ import annotations

from unidoku.support.setting import Setting


def test_a_block_that_ends_before_a_later_one_takes_back_its_own_value() -> None:
    size = Setting(9)
    first, second = size.set_to(16), size.set_to(25)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert size.value == 25
    second.__exit__(None, None, None)
    assert size.value == 9


def test_blocks_with_one_value_are_told_apart() -> None:
    size = Setting(9)
    with size.set_to(16):
        again = size.set_to(9)
        again.__enter__()
        with size.set_to(16):
            again.__exit__(None, None, None)
            assert size.value == 16
        assert size.value == 16
    assert size.value == 9
