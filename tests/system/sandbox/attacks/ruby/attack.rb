# What every attack in Ruby shares: one line about how it ended, `HELD <errno>` or `ESCAPED <what it got>`.

$stdout.sync = true

# Try what the block does: it returns what the attack got, or raises the reason for which it was refused.
def attempt
  puts "ESCAPED #{yield}"
rescue SystemCallError => error
  puts "HELD #{error.class.name.split("::").last} #{error.message}"
end
