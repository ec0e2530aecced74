"""Pages with drawings of steps are what their programs make, and the drawings are light."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.docs

_LARGEST = 18_000
"""The largest size of a drawing of an explained step, in bytes."""


@pytest.fixture(params=["make_explanations", "make_techniques"])
def program(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue(request.param)


def test_the_page_is_what_its_program_makes(program: Any) -> None:
    assert program.PAGE.read_text(encoding="utf-8") == program.page()


def test_the_drawings_are_what_the_program_makes(program: Any) -> None:
    result = program.drawings()
    for file, picture in result.items():
        assert file.read_text(encoding="utf-8") == picture, f"{file.name}: run the program again"
    assert set(program.IMAGES.iterdir()) == set(result)


def test_the_picture_of_the_layers_is_that_of_the_imports(make_layers: Any) -> None:
    assert make_layers.picture() == make_layers.PICTURE.read_text(encoding="utf-8")


def test_the_drawings_of_explained_steps_are_light(make_explanations: Any) -> None:
    assert all(len(picture) < _LARGEST for picture in make_explanations.drawings().values())
