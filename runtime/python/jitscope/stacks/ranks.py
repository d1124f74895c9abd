"""The rank of a process among those that a launcher of MPI has started together, by its environment."""

from __future__ import annotations

from dataclasses import dataclass

# The variables of each launcher for the rank and for the number of ranks, in the order in which they are believed: a
# process that MPI has started below Slurm has both.
# Sources: Open MPI 5.0, "Environment variables set by mpirun"; MPICH 4.0, src/pm/hydra; MVAPICH2 2.3 user guide,
# chapter 11; Slurm 23.11, srun(1), "OUTPUT ENVIRONMENT VARIABLES".
_VARIABLES = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("PMIX_RANK", ""),
    ("SLURM_PROCID", "SLURM_NTASKS"),
)
_LONGEST = 1 << 20  # bytes of an environment


@dataclass(frozen=True)
class Rank:
    """The number of a process, and how many there are; None: not known."""

    number: int
    count: int | None

    def __str__(self) -> str:
        return f"rank {self.number}" + (f" of {self.count}" if self.count is not None else "")


def rank_of(pid: int) -> Rank | None:
    """Return the rank of a process; None: no launcher has given it one, or its environment cannot be read."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as stream:
            words = stream.read(_LONGEST).split(b"\0")
    except OSError:
        return None
    environment = dict(word.split(b"=", 1) for word in words if b"=" in word)
    for rank, count in _VARIABLES:
        number = _number(environment.get(rank.encode()))
        if number is not None:
            return Rank(number, _number(environment.get(count.encode())))
    return None


def _number(text: bytes | None) -> int | None:
    return int(text) if text and text.isdigit() and len(text) < 10 else None
