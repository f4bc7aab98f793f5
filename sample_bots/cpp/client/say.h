// What the bot tells whoever has started it.
#pragma once

#include <string_view>

namespace client {

/// The sentence is on standard error, on a line of its own behind the name of the program. Any thread may call it.
void Say(std::string_view sentence);

}  // namespace client
