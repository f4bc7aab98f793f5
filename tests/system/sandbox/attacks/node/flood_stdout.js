/** Write four MiB to its standard output. */
'use strict';

const fs = require('fs');
const block = Buffer.alloc(1 << 16, 'x');
for (let count = 0; count < 64; count++) {
    fs.writeSync(1, block);
}
fs.writeSync(1, '\nESCAPED all of it\n');
