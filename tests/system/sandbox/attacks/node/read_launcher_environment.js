/** Look in the environment of its launcher for what the arena was started with. */
'use strict';

const { attempt } = require('./attack');
const fs = require('fs');

attempt(() => {
    const entry = fs.readFileSync('/proc/1/environ', 'utf8').split('\0').find((one) => one.startsWith('ARENA_SENTINEL='));
    if (!entry) {
        throw Object.assign(new Error('not there'), { code: 'ENOENT' });
    }
    return entry.split('=')[1];
});
