/** One connection to the arena: messages in, messages out. */
import {
  type ClientDuplexStream,
  type ClientOptions,
  loadPackageDefinition,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import type { ClientMessageInput } from "../generated/arena/v1/ClientMessage.js";
import type { PlayRequestInput } from "../generated/arena/v1/PlayRequest.js";
import type { PlayResponse } from "../generated/arena/v1/PlayResponse.js";
import type { PlayServiceClient } from "../generated/arena/v1/PlayService.js";
import type { ServerMessage } from "../generated/arena/v1/ServerMessage.js";
import type { ProtoGrpcType } from "../generated/play.js";
import type { Endpoint } from "./settings.js";

/** The messages as they are read from the .proto files. The options say the same as "generate" in package.json. */
const PROTO = loadPackageDefinition(
  loadSync("arena/v1/play.proto", {
    includeDirs: [`${import.meta.dirname}/../../proto`],
    defaults: true,
    longs: String,
  }),
) as unknown as ProtoGrpcType;

/** The arena pings every 15 s: after so long a silence the connection is dead, whatever the library thinks. */
const SILENCE_MS = 40_000;

const OPTIONS: ClientOptions = {
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 60_000,
  // A Play call is never repeated by the library: coming back takes the resume token.
  "grpc.enable_retries": 0,
  // Channels would share one socket, and after a failure each new one would wait for the backoff of the others.
  "grpc.use_local_subchannel_pool": 1,
};

/** How the library words that it could not connect; the reason stands in the middle. */
const FRAMED_REASON = /^No connection established\. Last error: (?:Error: )?(.*)\. Resolution note: $/s;

/** The connection ended without the arena's goodbye; the message says what the library knows of it. */
export class ConnectionLostError extends Error {
  constructor(
    readonly code: status,
    details: string,
  ) {
    super(details ? `${status[code]}: ${details}` : status[code]);
  }
}

/** A Play call. It is open until `messages` has been read to its end. */
export class Connection {
  private readonly client: PlayServiceClient;
  private readonly call: ClientDuplexStream<PlayRequestInput, PlayResponse>;
  private readonly silence: NodeJS.Timeout;
  private isSilent = false;

  /**
   * Begins to connect. What `hello` returns is said once the arena has taken the call: said before, it could hide why
   * the arena refuses it.
   */
  constructor(endpoint: Endpoint, hello: () => ClientMessageInput) {
    this.client = new PROTO.arena.v1.PlayService(endpoint.address, endpoint.credentials, OPTIONS);
    this.call = this.client.play(endpoint.metadata);
    this.call.once("metadata", () => this.send(hello()));
    this.call.on("error", () => {}); // Who reads the messages is told; without a listener it would end the program.
    this.silence = setTimeout(() => {
      this.isSilent = true;
      this.call.cancel();
    }, SILENCE_MS);
  }

  /** Says it, unless this side is closed. Whether it arrives shows in what the arena says. */
  send(message: ClientMessageInput): void {
    if (this.call.writable) this.call.write({ messages: [message] });
  }

  /** Tells the arena that nothing more comes. */
  halfClose(): void {
    this.call.end();
  }

  /** Gives the connection up. */
  cancel(): void {
    this.call.cancel();
  }

  /**
   * The messages of the arena, in order, until it ends the call.
   *
   * @throws ConnectionLostError if it did not end in good order.
   */
  async *messages(): AsyncGenerator<ServerMessage> {
    try {
      for await (const frame of this.call as AsyncIterable<PlayResponse>) {
        this.silence.refresh();
        yield* frame.messages;
      }
    } catch (error) {
      throw this.lost(error as ServiceError);
    } finally {
      clearTimeout(this.silence);
      this.call.cancel();
      this.client.close();
    }
  }

  private lost({ code, details }: ServiceError): ConnectionLostError {
    if (this.isSilent)
      return new ConnectionLostError(status.UNAVAILABLE, `nothing was heard for ${SILENCE_MS / 1000} s`);
    return new ConnectionLostError(code, details.replace(FRAMED_REASON, "$1"));
  }
}
