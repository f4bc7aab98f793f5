# Take more memory than it may have.
require_relative "attack"

attempt do
  blocks = Array.new(192) { |number| number.chr * (1 << 20) }
  "#{blocks.length} MiB held"
end
