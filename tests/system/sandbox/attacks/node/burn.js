/** Compute for longer than it may. */
'use strict';

const { attempt } = require('./attack');

attempt(() => {
    let used = 0;
    while (used < 1e6) {
        const { user, system } = process.cpuUsage();
        used = user + system;
    }
    return '1 s burnt';
});
