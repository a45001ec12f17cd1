/** How the HTTP service is run; what an option is, the table that takes these in says. */
import { FILE, integer, listed, optionTable } from '../../kit/cli/options/option-table.ts';

export const SERVICE_OPTIONS = optionTable('service', {
  listen: {
    metavar: 'WHERE',
    default: '127.0.0.1:8778',
    isEveryday: true,
    help: 'listen at ADDRESS:PORT or unix:PATH',
    manual: `Where to listen: an address and a port, an IPv6 address in brackets. Port 0 takes a free one, which is printed; *unix:*_PATH_ is a socket
in the file system. Without tokens and Keystone only loopback addresses (*127.0.0.1*, *[::1]*) and sockets are accepted, and only requests to names of this
machine are served.`,
  },
  tokens: {
    ...FILE,
    group: 'access',
    isEveryday: true,
    help: 'who has access: token, role and name on a line',
    manual: `Who has access: a file with one line per token, *TOKEN ROLE* [_NAME_ [_UNTIL_]], where _ROLE_ is *admin* or *reader*, _NAME_ is for the log and
the history, and _UNTIL_ is a date such as 2027-01-31, in UTC. A token has at least 16 characters, or is written as its digest, *sha256:*_HEX_ (see *--new-token*). A caller may have several, so that one can take
the place of another; empty lines and lines that start with *#* are ignored. Callers send their token in the header *X-Auth-Token*. Only its owner may be able to
read the file, which is read again on SIGHUP. Without this option and *--keystone* the token *admin* may do everything.`,
  },
  newToken: {
    metavar: "'ROLE [NAME [UNTIL]]'",
    group: 'access',
    help: 'make a token: print it and its line for the file, and end',
    manual: `Makes a token, prints it and the line for the file of *--tokens*, which has its digest only, and ends.`,
  },
  keystone: {
    metavar: 'URL',
    group: 'access',
    isEveryday: true,
    help: 'address of Keystone, whose tokens give access',
    manual: `Who has access: holders of tokens that OpenStack's Keystone knows. The roles *admin* and *service* may do everything, *reader* of the system may read,
and *reader* and *member* of a project may see what the project uses (*/usages*); *--keystone-roles* says otherwise. What Keystone says is believed for 30 seconds; while it does not answer, tokens that it knew go on until
they end, and others are answered with status 503. May be combined with *--tokens*.`,
  },
  keystoneCredentials: {
    ...FILE,
    group: 'access',
    isEveryday: true,
    help: 'what the service logs in to Keystone with',
    manual: `What the service logs in to Keystone with: lines *OS_USERNAME=*, *OS_PASSWORD=*, *OS_PROJECT_NAME=* and, unless they are *Default*,
*OS_USER_DOMAIN_NAME=* and *OS_PROJECT_DOMAIN_NAME=*, as openrc files have them. Only its owner may be able to read the file.`,
  },
  keystoneRoles: {
    ...FILE,
    help: 'which roles of Keystone may do what (needs --keystone)',
    manual: `Which roles of Keystone may do what, a line each: *ROLE RIGHT* [_SCOPE_]. _RIGHT_ is *admin* (everything), *reader* (reading) or *project* (what the
project uses, */usages*); _SCOPE_ is *system* or *project*, where only tokens for that count. The first line that fits a token counts, and a token that none fits
has no rights. Empty lines and lines that start with *#* are ignored; the file is read again on SIGHUP. Without this option: *admin admin*, *service admin*,
*reader reader system*, *reader project*, *member project*.`,
  },
  closed: {
    group: 'access',
    help: 'give /metrics and /openapi.json only to those who may read',
    manual: `Gives */metrics* and */openapi.json* only to those who may read. Without it everybody may have them.`,
  },
  cors: {
    ...listed('ORIGIN,...'),
    group: 'access',
    help: 'origins of pages elsewhere that may ask; *: all',
    manual: `Origins of pages elsewhere, such as *https://portal.example*, that may ask (CORS); an asterisk stands for all.`,
  },
  tlsCert: {
    ...FILE,
    group: 'access',
    isEveryday: true,
    help: 'serve HTTPS with this certificate',
    manual: `Serves HTTPS with the certificate (PEM, with its chain) in _FILE_. Needs *--tls-key*.`,
  },
  tlsKey: {
    ...FILE,
    group: 'access',
    isEveryday: true,
    help: 'private key of the certificate',
    manual: `The private key (PEM) of the certificate that *--tls-cert* names.`,
  },
  maxVersion: {
    metavar: 'VERSION',
    choices: ['1.39', '1.40', '1.41'],
    default: '1.39',
    help: 'newest microversion that may be asked for; 1.40 and 1.41 have additions to Placement',
    manual: `The newest microversion that clients may ask for. *1.40* and *1.41* are our own. *1.40*: *root_member_of*, *isolate*, and *none* as the default of
*group_policy*. *1.41*: allocations that end by themselves unless somebody confirms them. *latest* still means 1.39.`,
  },
  maxBody: {
    ...integer('KIB', { atLeast: 1, atMost: 1024 * 1024 }),
    default: 4096,
    unit: 'KiB',
    help: 'largest body of a request',
    manual: `The largest body that a request may have. A larger one is answered with status 413.`,
  },
  timeout: {
    name: 'request-timeout',
    ...integer('SECONDS', { atLeast: 1, atMost: 3600 }),
    default: 30,
    unit: 'seconds',
    help: 'how long a client may take to send a request, and a connection may be idle',
    manual: `How long a client may take to send a request, and how long a connection may be idle, before it is closed.`,
  },
  rate: {
    ...integer('N', { atLeast: 0, atMost: 1_000_000 }),
    default: 0,
    unit: 'requests a second',
    isEveryday: true,
    help: 'requests a second from one client; 0: no limit',
    manual: `How many requests per second one address, and one token, may send, with bursts of up to ten seconds' worth; further ones are answered with status
429. All who come by a socket in the file system count as one address. *0* sets no limit.`,
  },
  maxAnswer: {
    ...integer('MIB', { atLeast: 1, atMost: 1024 }),
    unit: 'MiB',
    default: 128,
    help: 'largest body of an answer',
    manual: `The largest body that an answer may have. A request for more is answered with status 400.`,
  },
  maxConnections: {
    ...integer('N', { atLeast: 1, atMost: 1_000_000 }),
    default: 1000,
    help: 'connections that may be open at a time',
    manual: `How many connections may be open at a time. Further ones are closed at once.`,
  },
  threads: {
    ...integer('N', { atLeast: 1, atMost: 64 }),
    default: 2,
    isEveryday: true,
    help: 'threads for requests that take long',
    manual: `How many threads there are for requests that take long; each has the provider trees in memory while it is needed. What is quick is done in a thread
of its own, and whoever asks for */healthz* is answered whatever the others do.`,
  },
  workTime: {
    ...integer('SECONDS', { atLeast: 1, atMost: 3600 }),
    unit: 'seconds',
    default: 10,
    help: 'how long a request that takes long may take',
    manual: `How long a request that takes long may take, waiting for a thread included. Then it is ended, and answered with status 503.`,
  },
  trustedProxy: {
    ...listed('ADDRESS,...'),
    help: 'addresses of proxies whose X-Forwarded-For names the client',
    manual: `Addresses, or networks such as *10.0.0.0/8*, of proxies that stand before the service. What they say in *X-Forwarded-For* is taken for the
client's address, and what they say in *X-Forwarded-Proto* and *X-Forwarded-Host* goes into links.`,
  },
  maxCandidates: {
    ...integer('N', { atLeast: 1, atMost: 10_000_000 }),
    default: 250_000,
    help: 'candidates that a query may have, whatever its limit is',
    manual: `How many candidates a query may have. One that has more is answered with status 400 and a message that a limit is needed.`,
  },
  log: {
    metavar: 'WHAT',
    default: 'errors',
    choices: ['requests', 'errors', 'none'],
    isEveryday: true,
    help: 'log requests, errors or none, as JSON lines',
    manual: `What is logged on standard error, one JSON object per line with the request id that the client was given: all *requests*, *errors* (internal errors
and failures of the store), or *none*.`,
  },
});
