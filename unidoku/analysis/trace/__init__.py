"""The search of one board as a tree: what was guessed, what followed, and how it ended."""

from unidoku.analysis.trace.record import trace as trace
from unidoku.analysis.trace.tree import Trace as Trace
from unidoku.analysis.trace.tree import TraceNode as TraceNode
