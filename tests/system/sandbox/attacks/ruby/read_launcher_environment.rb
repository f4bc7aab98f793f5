# Look in the environment of its launcher for what the arena was started with.
require_relative "attack"

attempt do
  entry = File.read("/proc/1/environ").split("\0").find { |one| one.start_with?("ARENA_SENTINEL=") }
  raise Errno::ENOENT unless entry

  entry.split("=").last
end
