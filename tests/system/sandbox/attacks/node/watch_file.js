/** Watch a file that all bots are shown, through which one bot can tell another something. */
'use strict';

const { attempt } = require('./attack');

attempt(() => {
    require('fs').watch('/bot/watched');
    return 'watch laid';
});
