# Connect to the socket on which the arena speaks with another bot.
require_relative "attack"
require "socket"

attempt { UNIXSocket.new(ENV["OTHER_SOCKET"]).readpartial(100) }
