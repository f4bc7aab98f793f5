# Write a file into its own folder, for the next match to find.
require_relative "attack"

attempt do
  File.write("/bot/diary.rb", "what I learnt")
  "wrote #{File.read("/bot/diary.rb")}"
end
