# Read a file of the host that everybody may read.
require_relative "attack"

attempt { File.read(ENV["HOST_FILE"]) }
