# The smallest complete bot in Ruby: it plays any legal action (docs/runtimes.md).
$LOAD_PATH.unshift(__dir__)
require "grpc"
require "arena/v1/play_services_pb"

$stdout.sync = $stderr.sync = true

# One bot, over all of its connections.
class RandomBot
  V1 = Arena::V1

  def initialize(address, token)
    @stub = V1::PlayService::Stub.new(address, :this_channel_is_insecure)
    @metadata = token ? { "authorization" => "Bearer #{token}" } : {}
    @resume_token = nil
    @pause = 0.1
  end

  # Play until the arena lets the bot go; return the exit code.
  def run
    loop do
      goodbye = visit
      if goodbye
        warn goodbye.sentence
        return goodbye.code == :CODE_DONE ? 0 : 3 unless goodbye.come_back

        @pause = [@pause, goodbye.come_back_after_ms / 1000.0].max
      end
      sleep @pause
      @pause = [2 * @pause, 10].min
    end
  end

  private

  # Play over one connection until it ends; return the goodbye, or nil without one.
  def visit
    requests = Queue.new
    requests << request(hello: hello)
    goodbye = nil
    frames = @stub.play(Enumerator.new { |out| while (each = requests.pop) do out << each end }, metadata: @metadata)
    frames.each do |frame|
      frame.messages.each do |message|
        goodbye ||= message.goodbye
        answer = reply(message)
        requests << request(**answer) if answer
      end
    end
    goodbye
  rescue GRPC::BadStatus => error
    warn "No connection to the arena (#{error.code}: #{error.details})." unless goodbye
    goodbye
  ensure
    requests << nil
  end

  def request(**kind)
    V1::PlayRequest.new(messages: [V1::ClientMessage.new(**kind)])
  end

  # The first message of every connection.
  def hello
    comeback = @resume_token ? { resume_token: @resume_token } : { claim: true }
    V1::Hello.new(
      lowest_protocol: 1, highest_protocol: 1, bot_version: "1", games: [V1::GameSupport.new(game: "caravan")],
      capacity: V1::Capacity.new(matches: 4, open_decisions: 1), language: "ruby", software: "grpc", **comeback
    )
  end

  # What to answer to a message of the arena: nothing to most, and to kinds that are not known.
  def reply(message)
    case message.kind
    when :ping then { pong: V1::Pong.new(id: message.ping.id) }
    when :assigned then { ready: V1::Ready.new(assignment: message.assigned.assignment) }
    when :decision
      decision = message.decision
      index = choose(decision)
      { answer: V1::Answer.new(assignment: decision.assignment, decision: decision.decision, index: index) }
    when :welcome
      @resume_token, @pause = message.welcome.resume_token, 0.1
      nil
    when :warning then warn message.warning.sentence
    end
  end

  # Return the place of the action to play in the list of legal actions.
  def choose(decision)
    rand(decision.legal_actions.length)
  end
end

abort "ARENA_ADDRESS is not set: give the arena's host:port or unix:///path in it." unless ENV["ARENA_ADDRESS"]
exit RandomBot.new(ENV["ARENA_ADDRESS"], ENV["ARENA_TOKEN"]).run
