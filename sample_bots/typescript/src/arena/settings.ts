/** Where the arena is and who the bot is, from the environment (docs/protocol.md, "Connecting"). */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { type ChannelCredentials, credentials, Metadata } from "@grpc/grpc-js";

/** An arena as one bot reaches it. */
export interface Endpoint {
  /** host:port or unix:///path. */
  readonly address: string;
  /** Holds the token; empty on a socket that is itself the bot's identity. */
  readonly metadata: Metadata;
  readonly credentials: ChannelCredentials;
}

/** The environment does not say enough; the message is one sentence with what to do. */
export class SettingsError extends Error {}

/**
 * What ARENA_ADDRESS, ARENA_TOKEN and the ARENA_TLS variables say.
 *
 * @throws SettingsError if there is no address, the token cannot be sent, or a file cannot be read.
 */
export function endpointFrom(environment: NodeJS.ProcessEnv): Endpoint {
  const address = environment["ARENA_ADDRESS"];
  if (!address) {
    throw new SettingsError("ARENA_ADDRESS is not set: give the arena's host:port or unix:///path in it.");
  }
  const metadata = metadataWith(environment["ARENA_TOKEN"]);
  const isOnThisMachine = address.startsWith("unix:");
  return {
    address,
    metadata,
    credentials: isOnThisMachine ? credentials.createInsecure() : credentialsFrom(environment),
  };
}

function metadataWith(token: string | undefined): Metadata {
  const metadata = new Metadata();
  if (!token) return metadata;
  try {
    metadata.set("authorization", `Bearer ${token}`);
  } catch {
    throw new SettingsError("ARENA_TOKEN holds characters that cannot be sent."); // The library's message shows it.
  }
  return metadata;
}

function credentialsFrom(environment: NodeJS.ProcessEnv): ChannelCredentials {
  const authorities = read(environment, "ARENA_TLS_CA");
  const certificate = read(environment, "ARENA_TLS_CERT");
  const key = read(environment, "ARENA_TLS_KEY");
  if ((certificate === null) !== (key === null)) {
    throw new SettingsError("ARENA_TLS_CERT and ARENA_TLS_KEY belong together: set both, or neither.");
  }
  if (environment["ARENA_TLS"] !== "1" && authorities === null && certificate === null) {
    return credentials.createInsecure();
  }
  try {
    if (authorities) new X509Certificate(authorities); // The library itself would take anything, and then trust nobody.
    return credentials.createSsl(authorities, key, certificate);
  } catch (error) {
    throw new SettingsError(
      `The files that ARENA_TLS_CA, ARENA_TLS_CERT and ARENA_TLS_KEY name are of no use: ${(error as Error).message}.`,
    );
  }
}

function read(environment: NodeJS.ProcessEnv, variable: string): Buffer | null {
  const path = environment[variable];
  if (!path) return null;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new SettingsError(`The file of ${variable} cannot be read: ${(error as Error).message}.`);
  }
}
