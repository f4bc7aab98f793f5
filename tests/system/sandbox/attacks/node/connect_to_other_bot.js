/** Connect to the socket on which the arena speaks with another bot. */
'use strict';

const { hear } = require('./attack');

hear(require('net').connect(process.env.OTHER_SOCKET));
