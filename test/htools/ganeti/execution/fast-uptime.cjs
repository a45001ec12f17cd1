/**
 * Time since the machine was started goes fast: a request counts as arrived or lost after seconds, not
 * minutes.
 */
const os = require('node:os');

const { uptime } = os;
os.uptime = () => 50 * uptime();
