"""One function that is being lowered: its plan, markers and slots."""
