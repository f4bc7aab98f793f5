/** Ask by a signal that does nothing whether a process of the host is there. */
'use strict';

const { attempt } = require('./attack');

attempt(() => {
    try {
        process.kill(Number(process.env.HOST_PID), 0);
    } catch (error) {
        if (error.code !== 'EPERM') {
            throw error;
        }
    }
    return 'process seen';
});
