"""Play on other machines: a cluster of dask distributed (the extra `cluster` of pnp)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING

from generator.basics.errors import fail, quote
from generator.basics.place import Place

if TYPE_CHECKING:
    from distributed import Client

LOCAL = "local"  # an address: a cluster of its own on this machine
_SECONDS = 10  # to find the cluster


@contextmanager
def join_cluster(address: str) -> Iterator[Executor]:
    """The workers of a dask cluster, such as "tcp://10.0.0.5:8786", or of one that lives for the
    block on this machine.

    Raises PnpError if dask is not installed, if the cluster does not answer, or if its workers have
    another version of pnp.
    """
    place = Place(f"the cluster {quote(address)}")
    try:
        from distributed import Client, KilledWorker, LocalCluster
    except ImportError:
        hint = "pip install 'pnp-generator[cluster]'"
        raise fail(place, "dask distributed is not installed", hint) from None
    with ExitStack() as stack:
        try:
            if address == LOCAL:
                here = LocalCluster(os.cpu_count(), threads_per_worker=1, dashboard_address=None)
                client = stack.enter_context(Client(stack.enter_context(here)))
            else:
                client = stack.enter_context(Client(address, timeout=_SECONDS))
        except (OSError, RuntimeError, ValueError) as error:
            what = f"it does not answer: {type(error).__name__}"
            raise fail(place, what, "start it with dask scheduler and dask worker") from None
        _check_versions(client, place)
        try:
            yield client.get_executor()
        except KilledWorker:
            what = "its workers die of the same games again and again"
            raise fail(place, what, "give them more memory") from None


def _check_versions(client: Client, place: Place) -> None:
    try:
        versions = set(client.run(_version).values())
    except ModuleNotFoundError:
        versions = {"none"}
    if not versions:
        raise fail(place, "it has no workers", "start them with dask worker")
    if versions != {_version()}:
        what = f"its workers have pnp {', '.join(sorted(versions))}"
        raise fail(place, what, f"install {_version()} on each")


def _version() -> str:
    return version("pnp-generator")
