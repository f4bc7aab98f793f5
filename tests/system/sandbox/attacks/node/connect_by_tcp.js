/** Connect by TCP to a server on the host. */
'use strict';

const { hear } = require('./attack');

hear(require('net').connect(Number(process.env.TCP_PORT), '127.0.0.1'));
