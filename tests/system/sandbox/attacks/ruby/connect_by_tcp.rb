# Connect by TCP to a server on the host.
require_relative "attack"
require "socket"

attempt { TCPSocket.new("127.0.0.1", ENV["TCP_PORT"].to_i).readpartial(100) }
