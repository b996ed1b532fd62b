"""Builder that collects the parameters, rules and faults of a file, and returns a space or one error."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from difflib import get_close_matches
from graphlib import CycleError, TopologicalSorter

from ConfigSpace import ConfigurationSpace
from ConfigSpace.conditions import ConditionLike
from ConfigSpace.forbidden import ForbiddenLike

from tightrope.errors import Fault, SpaceError
from tightrope.scenario.rules.ambiguity import disambiguate
from tightrope.scenario.rules.conditions import make_condition
from tightrope.scenario.rules.depth import is_too_deep
from tightrope.scenario.rules.forbidden import forbids, make_clauses
from tightrope.scenario.rules.nested import NestedSpace
from tightrope.scenario.rules.parameters import Parameter
from tightrope.scenario.rules.rule import Comparison, Rule, all_of, comparisons
from tightrope.scenario.text.faults import Faults
from tightrope.scenario.text.source import Piece, Source


@dataclass(slots=True)
class SpaceBuilder:
    """Collects what a file declares, line by line, in any order.

    The name of a faulty declaration still counts as declared, so that one fault does not cause others.
    """

    source: Source
    default_hint: str
    names: dict[str, Piece] = field(default_factory=dict)
    parameters: dict[str, Parameter] = field(default_factory=dict)
    conditions: dict[str, list[tuple[Piece, Rule]]] = field(default_factory=dict)
    forbidden: list[tuple[Piece, Rule]] = field(default_factory=list)
    faults: Faults = field(default_factory=Faults)
    is_nested: bool = False  # ConfigSpace would take too long to arrange the conditions

    def collecting(self) -> AbstractContextManager[None]:
        """Collect the faults raised inside the block, and continue after it."""
        return self.faults.collecting()

    def declare(self, name: Piece) -> None:
        """Register the name of a parameter; it must be new."""
        first = self.names.setdefault(name.text, name)
        if first is not name:
            raise name.error(
                f"duplicate declaration, first in line {first.line}",
                key=name.text,
                hint="rename or remove one of the two",
            )

    def add_condition(self, child: Piece, rule: Rule) -> None:
        """Add a condition to a parameter. All conditions of a parameter must hold."""
        self.conditions.setdefault(child.text, []).append((child, rule))

    def build(self) -> ConfigurationSpace:
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
        parameters, conditions = list(self.parameters.values()), self._make_conditions()
        if self.is_nested:
            space: ConfigurationSpace = NestedSpace(parameters, conditions)
        else:
            space = ConfigurationSpace()
            space.add(parameters, conditions)
        if clauses := self._make_clauses(space):
            space.add(clauses)
        self.faults.raise_if_any()
        return space

    def _make_conditions(self) -> list[ConditionLike]:
        usable: dict[str, Rule] = {}
        for name, lines in self.conditions.items():
            rules = [rule for child, rule in lines if self._is_usable(rule, child)]
            if rules and name in self.parameters:
                usable[name] = all_of(rules)
        conditions: dict[str, ConditionLike] = {}
        for name, rule in usable.items():
            with self.collecting():
                conditions[name] = make_condition(
                    self.parameters[name], rule, parameters=self.parameters, conditional=usable.keys()
                )
        with self.collecting():
            return disambiguate(
                conditions[name] for name in self._parents_first(usable) if name in conditions
            )
        return []

    def _parents_first(self, rules: Mapping[str, Rule]) -> list[str]:
        """Return the children in an order with parents first."""
        parents = {
            child: {name.text for part in comparisons(rule) for name in part.names} - {child}
            for child, rule in rules.items()
        }
        try:
            order = [name for name in TopologicalSorter(parents).static_order() if name in rules]
        except CycleError as error:
            cycle: list[str] = error.args[1]
            child, _ = self.conditions[cycle[-1]][0]
            path = " | ".join(repr(name) for name in reversed(cycle))
            raise child.error(
                f"cyclic conditions: {path}", key=child.text, hint="remove one of the conditions"
            ) from None
        self.is_nested = is_too_deep(parents, order)
        return order

    def _make_clauses(self, space: ConfigurationSpace) -> list[ForbiddenLike]:
        found: list[ForbiddenLike] = []
        default = space.get_default_configuration()
        for where, rule in self.forbidden:
            with self.collecting():
                clauses = self._clauses_of(rule, where) if self._is_usable(rule) else []
                for clause in clauses:
                    clause.set_vector_idx(space.index_of)
                if any(forbids(clause, default) for clause in clauses):
                    raise where.error("the default is forbidden", hint=self.default_hint)
                found.extend(clauses)
        return found

    def _clauses_of(self, rule: Rule, where: Piece) -> list[ForbiddenLike]:
        try:
            return make_clauses(rule, self.parameters)
        except SpaceError as error:
            raise where.error(error.problem, hint=error.hint) from None

    def _is_usable(self, rule: Rule, *children: Piece) -> bool:
        """Return whether all names are valid parameters, and collect a fault for each unknown name."""
        parts = list(comparisons(rule))
        names = [name for part in parts for name in part.names]
        for name in (*children, *names):
            with self.collecting():
                self._look_up(name)
        # A value may be the name of a parameter with a faulty declaration.
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
        raise name.error(f"unknown parameter {name.text!r}", key=name.text, hint=hint)
