/** Read a file of the host that everybody may read. */
'use strict';

const { attempt } = require('./attack');
const fs = require('fs');

attempt(() => fs.readFileSync(process.env.HOST_FILE, 'utf8'));
