/** What the bot tells whoever has started it. */
import { basename } from "node:path";

const PROGRAM = basename(process.argv[1] ?? "bot", ".js");

/** Prints a line to standard error, the program's name first. */
export function tell(sentence: string): void {
  console.error(`${PROGRAM}: ${sentence}`);
}
