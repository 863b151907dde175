"""Where a local model runs and how exactly it computes, decided without loading torch where that can be."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal

from core.errors import MissingExtraError, SettingsError
from core.registry import EXTRAS
from core.retrieval_settings import Device, Precision

# Processors with one of these multiply bfloat16 directly; others would emulate it, slower than float32.
_FAST_BFLOAT16: Final = frozenset({"avx512_bf16", "amx_bf16", "bf16"})
_PACKAGES: Final = ("torch", "sentence_transformers")


@dataclass(frozen=True, slots=True, kw_only=True)
class TorchRuntime:
    """What the settings come to on this machine; ``precision`` is the name of a torch dtype."""

    device: Literal["cpu", "cuda"]
    precision: Literal["float32", "bfloat16"]


def require_local_models(seam: str, name: str) -> None:
    """Raises ``MissingExtraError`` where the extra local-models is not installed; loads nothing."""
    for package in _PACKAGES:
        try:
            found = find_spec(package)
        except ModuleNotFoundError:
            found = None
        if found is None:
            raise MissingExtraError(name=name, install=EXTRAS[seam, name])


def torch_runtime(device: Device, precision: Precision, *, setting: str) -> TorchRuntime:
    """The device and precision to use. Raises ``SettingsError`` that names ``setting`` when cuda is absent."""
    if device == "cuda" and not _has_cuda():
        raise SettingsError(name=setting, reason="expected a CUDA graphics card and a torch built for it")
    on_cuda = device == "cuda" or (device == "auto" and _has_driver() and _has_cuda())
    if precision == "auto":
        fast = _cuda_is_fast() if on_cuda else _cpu_is_fast()
        precision = "bfloat16" if fast else "float32"
    return TorchRuntime(device="cuda" if on_cuda else "cpu", precision=precision)


def quiet_loading() -> None:
    """No progress bar of transformers on the user's terminal for the second that loading takes."""
    from transformers.utils import logging

    hide: Any = logging.disable_progress_bar
    hide()


def _has_driver() -> bool:
    """Asked first: importing torch takes seconds."""
    return Path("/dev/nvidiactl").exists() or shutil.which("nvidia-smi") is not None


def _has_cuda() -> bool:
    import torch

    return torch.cuda.is_available()


def _cuda_is_fast() -> bool:
    import torch

    return torch.cuda.get_device_capability() >= (8, 0)


def _cpu_is_fast(cpuinfo: Path = Path("/proc/cpuinfo")) -> bool:
    """Whether Linux lists the instructions; elsewhere float32 is the safe answer."""
    try:
        lines = cpuinfo.read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return False
    names = ("flags", "Features")
    flags = next((line.partition(":")[2] for line in lines if line.startswith(names)), "")
    return not _FAST_BFLOAT16.isdisjoint(flags.split())
