/** Start processes until it is refused one. */
'use strict';

const { held, escaped } = require('./attack');
const { spawn } = require('child_process');

const children = [];
const end = (say, what) => {
    children.filter((child) => child.pid).forEach((child) => child.kill('SIGKILL'));
    say(what);
};
for (let count = 0; count < 80; count++) {
    const child = spawn('/bot/c/sleeper', [], { stdio: 'ignore' });
    child.on('error', (error) => end(held, error));
    children.push(child);
}
setImmediate(() => setImmediate(() => end(escaped, `${children.filter((child) => child.pid).length} processes`)));
