"""What is known of the threads of a process: their ids and the system calls that they wait in."""
