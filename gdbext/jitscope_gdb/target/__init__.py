"""One process: its compiled objects, its memory, its libraries, its source, and what ends what is known of it."""
