/** Write more into /tmp than it was promised. */
'use strict';

const { attempt } = require('./attack');
const fs = require('fs');

attempt(() => {
    for (let block = 0; block < 24; block++) {
        fs.appendFileSync('/tmp/heap', Buffer.alloc(1 << 20, 1));
    }
    return '24 MiB kept';
});
