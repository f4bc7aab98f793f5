# Start threads until it is refused one.
require_relative "attack"

attempt do
  "#{Array.new(80) { Thread.new { sleep } }.length} threads"
rescue ThreadError
  # The error does not name the reason, which the system has only one of.
  raise Errno::EAGAIN
end
