/**
 * The greedy bot for Caravan: one job after the other. docs/bots/greedy.md states its policy
 * exactly.
 */
package samplebots.greedy;
