"""Makes boards for experiments, which need not have exactly one solution.

- `request`: the kind of board: how many cells are empty or filled, how many solutions there are.
- `run`: makes boards from full grids, or fills empty ones at random, until there are enough or the
  time limit is reached.

Research on quasigroups with holes and quasigroup completion uses such boards: Gomes and Selman
1997; Achlioptas, Gomes, Kautz and Selman 2000; Kautz and others 2001.
"""

from __future__ import annotations

from unidoku.generation.instances.request import INSTANCE_FAMILIES, Amount, InstanceRequest
from unidoku.generation.instances.run import InstanceGeneration

__all__ = ["INSTANCE_FAMILIES", "Amount", "InstanceGeneration", "InstanceRequest"]
