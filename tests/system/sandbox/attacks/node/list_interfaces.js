/** List the network interfaces of the machine. */
'use strict';

const { attempt } = require('./attack');

attempt(() => {
    const names = Object.keys(require('os').networkInterfaces());
    if (!names.length) {
        throw Object.assign(new Error('no interface'), { code: 'ENOENT' });
    }
    return `${names.length} interfaces`;
});
