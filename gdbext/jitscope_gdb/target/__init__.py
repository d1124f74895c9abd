"""One process: its compiled objects, its memory, its libraries, its source, and the events that end each cache."""
