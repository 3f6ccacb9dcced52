"""The house and its nodes: what each runs, whether that was accepted, how its last run ended."""

from __future__ import annotations

from typing import TypeAlias

from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain import machine, recovery
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house import refusals as r
from puntobanco_floor.domain.house.state import HouseState, Node
from puntobanco_floor.domain.machine import Events, check

Asked: TypeAlias = machine.Asked[HouseState]

MAX_NODES = 1_000
"""Containers come and go, each a node with a key of its own: who was not heard of longest is
forgotten.
"""

MAX_PROGRAMS = 8
"""Accepted at a time: more than one, since nodes are brought to a new release one by one."""


# Decide


def check_program(asked: Asked, command: h.CheckProgram) -> Events:
    """The first program that a house is served with is accepted by that."""
    state, node = asked.state, command.node
    before = state.nodes.get(node)
    is_unclean = command.started and before is not None and before.is_running
    checked = e.ProgramChecked(
        node=node,
        at=asked.now,
        version=command.version,
        program=command.program,
        configuration=command.configuration,
        fault=command.fault,
        started=command.started,
        unclean_since=before.seen if before and is_unclean else 0,
        reconfigured=before is not None and before.configuration != command.configuration,
    )
    is_first = bool(command.program) and not state.programs and not command.fault
    if not is_first:
        return (checked,)
    accepted = e.ProgramAccepted(
        version=command.version, program=command.program, files=command.files
    )
    return (checked, accepted)


def stop_node(asked: Asked, command: h.StopNode) -> Events:
    node = asked.state.nodes.get(command.node)
    if node is None or not node.is_running:
        raise r.AlreadyThere(f"node {command.node} does not run; nothing was changed")
    return (e.NodeStopped(node=command.node),)


def note_fault(asked: Asked, command: h.NoteFault) -> Events:
    del asked
    return (e.FaultNoted(node=command.node, place=command.place, what=command.what),)


def accept_program(asked: Asked, command: h.AcceptProgram) -> Events:
    recovery.verify_two(command)
    if command.program in asked.state.programs:
        raise r.AlreadyThere("this program is accepted already; nothing was changed")
    accepted = e.ProgramAccepted(
        version=command.version,
        program=command.program,
        files=command.files,
        proposed_by=command.by,
        approved_by=command.second,
    )
    return (accepted,)


def open_unwitnessed(asked: Asked, command: h.OpenUnwitnessed) -> Events:
    del asked
    recovery.verify_two(command)
    opened = e.OpenedUnwitnessed(
        node=command.node,
        reason=command.reason,
        size=command.size,
        proposed_by=command.by,
        approved_by=command.second,
    )
    return (opened,)


# Evolve


def program_checked(state: HouseState, event: e.ProgramChecked) -> HouseState:
    before = state.nodes.get(event.node)
    is_running = event.started or (before is not None and before.is_running)
    node = Node(event.at, event.configuration, is_running, event.fault)
    nodes = state.nodes.set(event.node, node)
    if len(nodes) > MAX_NODES:
        oldest = min(nodes, key=lambda name: (nodes[name].seen, name))
        nodes = nodes.delete(oldest)
    return replace(state, nodes=nodes)


def node_stopped(state: HouseState, event: e.NodeStopped) -> HouseState:
    node = state.nodes.get(event.node)
    check(node is not None and node.is_running, f"node {event.node} stopped twice")
    assert node is not None
    stopped = replace(node, is_running=False)
    return replace(state, nodes=state.nodes.set(event.node, stopped))


def fault_noted(state: HouseState, event: e.FaultNoted) -> HouseState:
    del event
    return state


def opened_unwitnessed(state: HouseState, event: e.OpenedUnwitnessed) -> HouseState:
    check(event.proposed_by != event.approved_by, "one person opened without witnesses")
    return state


def program_accepted(state: HouseState, event: e.ProgramAccepted) -> HouseState:
    check(event.program not in state.programs, "a program was accepted twice")
    by_one = bool(state.programs) and event.proposed_by == event.approved_by
    check(not by_one, "one person accepted a program")
    kept = (*state.programs, event.program)[-MAX_PROGRAMS:]
    return replace(state, programs=kept)
