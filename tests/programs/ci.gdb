# Runs the program. If it ends, GDB's exit status is the program's; if it crashes, the status is 1, with a report and a core.
run
if $_isvoid($_exitcode)
  jit bt -full
  generate-core-file build/failed.core
  kill
  quit 1
end
quit $_exitcode
