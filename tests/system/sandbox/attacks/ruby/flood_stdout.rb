# Write four MiB to its standard output.
require_relative "attack"

attempt do
  64.times { $stdout.syswrite("x" * (1 << 16)) }
  "\nESCAPED all of it"
end
