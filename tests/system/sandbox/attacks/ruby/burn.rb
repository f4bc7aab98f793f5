# Compute for longer than it may.
require_relative "attack"

attempt do
  nil while Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) < 1
  "1 s burnt"
end
