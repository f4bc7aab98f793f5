/** What every attack in JavaScript shares: one line about how it ended, `HELD <errno>` or `ESCAPED <what it got>`. */
'use strict';

function say(line, code) {
    require('fs').writeSync(1, line + '\n');
    process.exit(code);
}

/** Says that the attack was refused, for the reason that the error names, and ends the program. */
exports.held = (error) => say(`HELD ${error.code || error.name} ${error.message}`, 0);

/** Says what the attack got, and ends the program. */
exports.escaped = (what) => say(`ESCAPED ${what}`, 0);

/** Tries what gives its result at once. */
exports.attempt = (action) => {
    let got;
    try {
        got = action();
    } catch (error) {
        exports.held(error);
    }
    exports.escaped(got);
};

/** Reads one message from a socket that is being connected. */
exports.hear = (client) => {
    client.on('error', exports.held);
    client.on('data', (said) => exports.escaped(said.toString()));
};
