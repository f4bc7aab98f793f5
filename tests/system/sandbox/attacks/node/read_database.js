/** Read the arena's database through a link that it lays in /tmp. */
'use strict';

const { attempt } = require('./attack');
const fs = require('fs');

attempt(() => {
    fs.symlinkSync(process.env.DATA_FOLDER, '/tmp/data');
    return fs.readFileSync('/tmp/data/arena.db', 'utf8');
});
