# Write more into /tmp than it was promised.
require_relative "attack"

attempt do
  File.open("/tmp/heap", "w") { |file| 24.times { file.syswrite("x" * (1 << 20)) } }
  "24 MiB kept"
end
