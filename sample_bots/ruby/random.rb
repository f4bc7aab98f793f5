# The smallest complete bot in Ruby: it plays any legal action (docs/runtimes.md).
$LOAD_PATH.unshift(__dir__)
require "grpc"
require "arena/v1/play_pb"

$stdout.sync = $stderr.sync = true

# One bot, over all of its connections.
class RandomBot
  V1 = Arena::V1
  Ops = GRPC::Core::CallOps
  METHOD = "/arena.v1.PlayService/Play"
  DAY = 86_400

  def initialize(address, token)
    @address = address
    @metadata = token ? { "authorization" => "Bearer #{token}" } : {}
    @resume_token = nil
    @pause = 0.1
  end

  # Play until the arena lets the bot go; return the exit code.
  def run
    loop do
      goodbye = visit
      if goodbye
        $stderr.puts goodbye.sentence
        return goodbye.code == :CODE_DONE ? 0 : 3 unless goodbye.come_back

        @pause = [@pause, goodbye.come_back_after_ms / 1000.0].max
      end
      sleep @pause
      @pause = [2 * @pause, 10].min
    end
  end

  private

  # Play over one connection until it ends; return the goodbye, or nil without one.
  #
  # It uses the core of the library, because the bot has to wait for the initial metadata before it says hello.
  def visit
    channel = GRPC::Core::Channel.new(@address, { "grpc.enable_retries" => 0 }, security)
    call = channel.create_call(nil, nil, METHOD, nil, Time.now + DAY)
    goodbye = nil
    run_operation(call, Ops::SEND_INITIAL_METADATA => @metadata)
    run_operation(call, Ops::RECV_INITIAL_METADATA => nil)
    send(call, hello: hello)
    while (bytes = run_operation(call, Ops::RECV_MESSAGE => nil)&.message)
      V1::PlayResponse.decode(bytes).messages.each do |message|
        goodbye ||= message.goodbye
        answer = reply(message)
        send(call, **answer) if answer
      end
      return goodbye if goodbye
    end
    status = call.run_batch(Ops::RECV_STATUS_ON_CLIENT => nil).status
    $stderr.puts "The call ended (#{status.code}: #{status.details})."
    nil
  ensure
    channel&.close
  end

  # How the connection is encrypted, a Unix socket never.
  def security
    authorities = ENV["ARENA_TLS_CA"]
    return :this_channel_is_insecure if @address.start_with?("unix:") || (ENV["ARENA_TLS"] != "1" && !authorities)

    GRPC::Core::ChannelCredentials.new(authorities && File.read(authorities))
  end

  def send(call, **kind)
    frame = V1::PlayRequest.new(messages: [V1::ClientMessage.new(**kind)])
    run_operation(call, Ops::SEND_MESSAGE => V1::PlayRequest.encode(frame))
  end

  # What came of an operation; nil if the call has ended: what the arena sent before can still be read.
  def run_operation(call, operation)
    call.run_batch(operation)
  rescue GRPC::Core::CallError
    nil
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
    when :warning then $stderr.puts(message.warning.sentence)
    end
  end

  # Return the place of the action to play in the list of legal actions.
  def choose(decision)
    rand(decision.legal_actions.length)
  end
end

abort "ARENA_ADDRESS is not set: give the arena's host:port or unix:///path in it." unless ENV["ARENA_ADDRESS"]
exit RandomBot.new(ENV["ARENA_ADDRESS"], ENV["ARENA_TOKEN"]).run
