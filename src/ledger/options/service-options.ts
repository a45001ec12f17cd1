/** How the HTTP service is run; what an option is, the table that takes these in says. */
import { optionTable } from '../../kit/cli/options/option-table.ts';

export const SERVICE_OPTIONS = optionTable('general', {
  listen: {
    kind: 'text',
    metavar: 'ADDRESS:PORT',
    default: '127.0.0.1:8778',
    help: 'where to listen',
    manual: `Where to listen: an address and a port, an IPv6 address in brackets. Port 0 takes a free one, which is printed. Without a token file
only loopback addresses (*127.0.0.1*, *[::1]*) are accepted.`,
  },
  tokens: {
    kind: 'text',
    metavar: 'FILE',
    completion: 'file',
    help: 'who has access: a file with a token, a role and a name on each line',
    manual: `Who has access: a file with one line per caller, *TOKEN ROLE* [_NAME_], where _ROLE_ is *admin* or *reader*. A token has at least 16
characters; empty lines and lines that start with *#* are ignored. Callers send their token in the header *X-Auth-Token*. Only its owner may be able to
read the file, which is read again on SIGHUP. Without this option the token *admin* may do everything.`,
  },
  tlsCert: {
    kind: 'text',
    metavar: 'FILE',
    completion: 'file',
    help: 'serve HTTPS with this certificate (needs --tls-key)',
    manual: `Serves HTTPS with the certificate (PEM, with its chain) in _FILE_. Needs *--tls-key*.`,
  },
  tlsKey: {
    kind: 'text',
    metavar: 'FILE',
    completion: 'file',
    help: 'private key of the certificate',
    manual: `The private key (PEM) of the certificate that *--tls-cert* names.`,
  },
  maxVersion: {
    kind: 'choice',
    metavar: 'VERSION',
    choices: ['1.39', '1.40', '1.41'],
    default: '1.39',
    help: 'newest microversion that may be asked for; 1.40 and 1.41 have additions to Placement',
    manual: `The newest microversion that clients may ask for. *1.40* and *1.41* are our own. *1.40*: *root_member_of*, *isolate*, and *none* as the default of
*group_policy*. *1.41*: allocations that end by themselves unless somebody confirms them. *latest* still means 1.39.`,
  },
  maxBody: {
    kind: 'integer',
    metavar: 'KIB',
    default: 4096,
    unit: 'KiB',
    range: { atLeast: 1, atMost: 1024 * 1024 },
    label: 'max body',
    help: 'largest body of a request',
    manual: `The largest body that a request may have. A larger one is answered with status 413.`,
  },
  timeout: {
    name: 'request-timeout',
    kind: 'integer',
    metavar: 'SECONDS',
    default: 30,
    unit: 'seconds',
    range: { atLeast: 1, atMost: 3600 },
    label: 'request timeout',
    help: 'how long a client may take to send a request, and a connection may be idle',
    manual: `How long a client may take to send a request, and how long a connection may be idle, before it is closed.`,
  },
  rate: {
    kind: 'integer',
    metavar: 'N',
    default: 0,
    unit: 'requests a second',
    range: { atLeast: 0, atMost: 1_000_000 },
    label: 'rate',
    help: 'requests per second that one client address may send; 0: no limit',
    manual: `How many requests per second one client address may send, with bursts of up to ten seconds' worth; further ones are answered with status
429. *0* sets no limit.`,
  },
  maxCandidates: {
    kind: 'integer',
    metavar: 'N',
    default: 250_000,
    range: { atLeast: 1, atMost: 10_000_000 },
    label: 'max candidates',
    help: 'candidates that a query without a limit may have',
    manual: `How many candidates a query without a limit may have. One that has more is answered with status 400 and a message that a limit is needed.`,
  },
  log: {
    kind: 'choice',
    metavar: 'WHAT',
    default: 'errors',
    choices: ['requests', 'errors', 'none'],
    help: 'what to log on standard error, one JSON object per line',
    manual: `What is logged on standard error, one JSON object per line with the request id that the client was given: all *requests*, *errors* (internal errors
and failures of the store), or *none*.`,
  },
});
