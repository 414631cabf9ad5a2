"""Makes scipy.mat (compressed) beside this file: numbers of every kind that a mat file of a user may hold."""

import pathlib

import numpy as np
import scipy.io

scipy.io.savemat(
    pathlib.Path(__file__).parent / "scipy.mat",
    {
        "t": np.arange(6) / 10.0,
        "u": np.array([[1], [-2], [3], [4], [5], [6]], dtype=np.int16),
        "Y": np.array([[0.1, 10], [0.2, 20], [0.3, 30], [0.4, 40], [0.5, 50], [0.6, 60]]),
        "f": np.float32([1.5, 2.5]),
        "s": {"a": np.array([1.0, 2.0, 3.0]), "name": "abc", "inner": {"k": np.uint8([7, 8])}},
        "z": np.array([1 + 2j, 3]),
        "flag": np.array([True, False, True]),
        "txt": "hello",
    },
    do_compression=True,
)
