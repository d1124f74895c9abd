"""Dynamic time warping: its costs and the path back."""

import librosa
import numpy as np

SOURCE = librosa.sequence.__file__
INTERPRETED = [librosa.sequence]
X, Y = np.array([[1.0, 2.0, 4.0]]), np.array([[1.0, 3.0, 3.0, 5.0]])

CALLS = [lambda: librosa.sequence.dtw(X, Y)]
