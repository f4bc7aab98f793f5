/** Send a datagram to a server on the host and wait for the answer. */
'use strict';

const { held, escaped } = require('./attack');

const client = require('dgram').createSocket('udp4');
client.on('error', held);
client.on('message', (said) => escaped(said.toString()));
client.send('hello', Number(process.env.UDP_PORT), '127.0.0.1', (error) => error && held(error));
