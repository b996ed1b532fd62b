"""What has been read of a file, and what was wrong with it: in the end a space, or an error telling all."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from graphlib import CycleError, TopologicalSorter

from ConfigSpace import ConfigurationSpace
from ConfigSpace.conditions import ConditionLike
from ConfigSpace.forbidden import ForbiddenLike

from tightrope.errors import Fault, ScenarioError
from tightrope.scenario.claims import Claim, Comparison, all_of, comparisons
from tightrope.scenario.conditions import make_condition
from tightrope.scenario.forbidden import make_clause
from tightrope.scenario.parameters import Parameter
from tightrope.scenario.source import Piece, Source


@dataclass(slots=True)
class Draft:
    """Collects what a file declares, line by line; lines may come in any order.

    A name whose declaration is at fault is known all the same, so that one fault does not bring others.
    """

    source: Source
    names: dict[str, Piece] = field(default_factory=dict)
    parameters: dict[str, Parameter] = field(default_factory=dict)
    conditions: dict[str, list[tuple[Piece, Claim]]] = field(default_factory=dict)
    forbidden: list[tuple[Piece, Claim]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Keep the faults of what is done inside, and go on behind it."""
        try:
            yield
        except ScenarioError as error:
            self.faults.extend(error.faults)

    def declare(self, name: Piece) -> None:
        """Make a name known, which must be new."""
        first = self.names.setdefault(name.text, name)
        if first is not name:
            raise name.error(
                f"declared a second time, first in line {first.line}",
                key=name.text,
                hint="rename or remove one of the two",
            )

    def add_condition(self, child: Piece, claim: Claim) -> None:
        """Make a parameter depend on a claim, and on all others that it is given."""
        self.conditions.setdefault(child.text, []).append((child, claim))

    def finish(self) -> ConfigurationSpace:
        """Build the space.

        Raises
        ------
        ScenarioError
            With all faults, if there are any.
        """
        if not self.names and not self.faults:
            self.faults.append(Fault("no parameters are declared", "declare at least one", self.source.file))
        space = ConfigurationSpace()
        space.add(list(self.parameters.values()), self._make_conditions())
        space.add(self._make_clauses(space))
        if self.faults:
            raise ScenarioError(*self.faults)
        return space

    def _make_conditions(self) -> list[ConditionLike]:
        usable: dict[str, Claim] = {}
        for name, lines in self.conditions.items():
            claims = [claim for child, claim in lines if self._is_usable(claim, child)]
            if claims and name in self.parameters:
                usable[name] = all_of(claims)
        conditions = []
        for name in self._parents_first(usable):
            with self.collecting():
                conditions.append(make_condition(self.parameters[name], usable[name], self.parameters))
        return conditions

    def _parents_first(self, claims: dict[str, Claim]) -> list[str]:
        """Order the children so that none comes before its parents."""
        parents = {child: {part.name.text for part in comparisons(claim)} for child, claim in claims.items()}
        try:
            return [name for name in TopologicalSorter(parents).static_order() if name in claims]
        except CycleError as error:
            circle: list[str] = error.args[1]
            child, _ = self.conditions[circle[-1]][0]
            path = " | ".join(repr(name) for name in reversed(circle))
            fault = child.error(
                f"conditions in a circle: {path}", key=child.text, hint="remove one of the conditions"
            )
            self.faults.extend(fault.faults)
            return []

    def _make_clauses(self, space: ConfigurationSpace) -> list[ForbiddenLike]:
        clauses = []
        default = space.get_default_configuration().get_array()
        for where, claim in self.forbidden:
            with self.collecting():
                if self._is_usable(claim):
                    clause = make_clause(claim, self.parameters)
                    clause.set_vector_idx(space.index_of)
                    if clause.is_forbidden_vector(default):
                        raise where.error(
                            "the default is forbidden", hint="change the default of a parameter"
                        )
                    clauses.append(clause)
        return clauses

    def _is_usable(self, claim: Claim, *children: Piece) -> bool:
        """Tell whether all names are those of sound parameters; unknown ones are faults."""
        parts = list(comparisons(claim))
        for name in (*children, *(part.name for part in parts)):
            with self.collecting():
                self._look_up(name)
        return all(part.name.text in self.parameters and self._is_decidable(part) for part in parts)

    def _is_decidable(self, part: Comparison) -> bool:
        """Tell whether no value is the name of a parameter whose declaration is at fault."""
        return not any(
            value.text in self.names and value.text not in self.parameters for value in part.values
        )

    def _look_up(self, name: Piece) -> None:
        if name.text in self.names:
            return
        near = get_close_matches(name.text, self.names, n=1)
        hint = f"did you mean {near[0]!r}?" if near else "declare it, or check the spelling"
        raise name.error(f"there is no parameter {name.text!r}", key=name.text, hint=hint)
