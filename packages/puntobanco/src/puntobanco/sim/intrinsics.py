"""What compiled kernels call: a wide product and the random generator. This module loads Numba."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numba.core import types
from numba.core.extending import intrinsic


@intrinsic
def high(typingctx: Any, x: Any, n: Any) -> Any:  # noqa: ARG001
    """The high half of a 64 by 64-bit product: one machine instruction."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        from llvmlite import ir  # noqa: PLC0415

        wide = ir.IntType(128)
        a, b = (builder.zext(argument, wide) for argument in arguments)
        product = builder.mul(a, b)
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), codegen


@njit(inline="always")
def mix(z: np.uint64) -> np.uint64:
    """SplitMix64's finisher: a counter in, 64 well-mixed bits out."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
