"""What has been read of a file, and what was wrong with it: in the end a space, or an error telling all."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from difflib import get_close_matches
from graphlib import CycleError, TopologicalSorter

from ConfigSpace import ConfigurationSpace
from ConfigSpace.conditions import ConditionLike
from ConfigSpace.forbidden import ForbiddenLike

from tightrope.errors import Fault, SpaceError
from tightrope.scenario.rules.ambiguity import tell_apart
from tightrope.scenario.rules.conditions import make_condition
from tightrope.scenario.rules.depth import find_too_deep
from tightrope.scenario.rules.forbidden import forbids, make_clauses
from tightrope.scenario.rules.parameters import Parameter
from tightrope.scenario.rules.rule import Claim, Comparison, all_of, comparisons
from tightrope.scenario.text.faults import Faults
from tightrope.scenario.text.source import Piece, Source


@dataclass(slots=True)
class Draft:
    """Collects what a file declares, line by line; lines may come in any order.

    A name whose declaration is at fault is known all the same, so that one fault does not bring others.
    """

    source: Source
    default_hint: str
    names: dict[str, Piece] = field(default_factory=dict)
    parameters: dict[str, Parameter] = field(default_factory=dict)
    conditions: dict[str, list[tuple[Piece, Claim]]] = field(default_factory=dict)
    forbidden: list[tuple[Piece, Claim]] = field(default_factory=list)
    faults: Faults = field(default_factory=Faults)

    def collecting(self) -> AbstractContextManager[None]:
        """Keep the faults of what is done inside, and go on behind it."""
        return self.faults.collecting()

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
            self.faults.found.append(
                Fault("no parameters are declared", "declare at least one", self.source.file)
            )
        space = ConfigurationSpace()
        space.add(list(self.parameters.values()), self._make_conditions())
        if clauses := self._make_clauses(space):
            space.add(clauses)
        self.faults.tell()
        return space

    def _make_conditions(self) -> list[ConditionLike]:
        usable: dict[str, Claim] = {}
        for name, lines in self.conditions.items():
            claims = [claim for child, claim in lines if self._is_usable(claim, child)]
            if claims and name in self.parameters:
                usable[name] = all_of(claims)
        conditions: dict[str, ConditionLike] = {}
        for name, claim in usable.items():
            with self.collecting():
                conditions[name] = make_condition(
                    self.parameters[name], claim, parameters=self.parameters, conditional=usable.keys()
                )
        with self.collecting():
            return tell_apart(conditions[name] for name in self._parents_first(usable) if name in conditions)
        return []

    def _parents_first(self, claims: Mapping[str, Claim]) -> list[str]:
        """Order the children so that none comes before its parents."""
        parents = {
            child: {name.text for part in comparisons(claim) for name in part.names} - {child}
            for child, claim in claims.items()
        }
        try:
            order = [name for name in TopologicalSorter(parents).static_order() if name in claims]
        except CycleError as error:
            circle: list[str] = error.args[1]
            child, _ = self.conditions[circle[-1]][0]
            path = " | ".join(repr(name) for name in reversed(circle))
            raise child.error(
                f"conditions in a circle: {path}", key=child.text, hint="remove one of the conditions"
            ) from None
        if too_deep := find_too_deep(parents, order):
            child, _ = self.conditions[too_deep][0]
            raise child.error(
                "conditions nested so deeply are not supported: ConfigSpace would take very long",
                key=too_deep,
                hint="let it depend on fewer parameters that are conditional themselves",
            )
        return order

    def _make_clauses(self, space: ConfigurationSpace) -> list[ForbiddenLike]:
        found: list[ForbiddenLike] = []
        default = space.get_default_configuration()
        for where, claim in self.forbidden:
            with self.collecting():
                clauses = self._clauses_of(claim, where) if self._is_usable(claim) else []
                for clause in clauses:
                    clause.set_vector_idx(space.index_of)
                if any(forbids(clause, default) for clause in clauses):
                    raise where.error("the default is forbidden", hint=self.default_hint)
                found.extend(clauses)
        return found

    def _clauses_of(self, claim: Claim, where: Piece) -> list[ForbiddenLike]:
        try:
            return make_clauses(claim, self.parameters)
        except SpaceError as error:
            raise where.error(error.problem, hint=error.hint) from None

    def _is_usable(self, claim: Claim, *children: Piece) -> bool:
        """Tell whether all names are those of sound parameters; unknown ones are faults."""
        parts = list(comparisons(claim))
        names = [name for part in parts for name in part.names]
        for name in (*children, *names):
            with self.collecting():
                self._look_up(name)
        # A value may be the name of a parameter, whose declaration may be at fault.
        values = [value for part in parts if isinstance(part, Comparison) for value in part.values]
        faulty = self.names.keys() - self.parameters.keys()
        return all(name.text in self.parameters for name in names) and not any(
            value.text in faulty for value in values
        )

    def _look_up(self, name: Piece) -> None:
        if name.text in self.names:
            return
        if any(sign in name.text for sign in "+*/^%("):
            hint = "arithmetic is not supported: compare a parameter with a value"
        else:
            near = get_close_matches(name.text, self.names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else "declare it, or check the spelling"
        raise name.error(f"there is no parameter {name.text!r}", key=name.text, hint=hint)
