/** Take more memory than it may have, outside the heap that node itself limits. */
'use strict';

const { attempt } = require('./attack');

attempt(() => {
    const blocks = [];
    for (let block = 0; block < 192; block++) {
        blocks.push(Buffer.alloc(1 << 20, 1));
    }
    return `${blocks.length} MiB held`;
});
