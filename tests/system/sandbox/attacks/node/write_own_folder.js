/** Write a file into its own folder, for the next match to find. */
'use strict';

const { attempt } = require('./attack');
const fs = require('fs');

attempt(() => {
    fs.writeFileSync('/bot/diary.js', 'what I learnt');
    return 'wrote ' + fs.readFileSync('/bot/diary.js', 'utf8');
});
