/**
 * What any bot needs to play in an arena: it finds the arena, says hello, answers at once what can
 * be answered at once, comes back when the connection is lost, and leaves in good order. What it
 * plays is the business of a {@link samplebots.client.Bot}.
 */
package samplebots.client;
