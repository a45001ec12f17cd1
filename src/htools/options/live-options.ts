/** How live clusters are talked to. */
import { FILE, float, optionTable, repeated } from '../../kit/cli/options/option-table.ts';

/** A day; timers take no more than 24 of them. */
const LONGEST_SECONDS = 86_400;

export const LIVE_OPTIONS = optionTable('connection', {
  rapiCredentials: {
    ...FILE,
    help: 'name and password for RAPI, from FILE in the format of ~/.netrc',
    manual: `Reads names and passwords for RAPI from _FILE_, in the format of *netrc*(5): *machine* _HOST_ *login* _NAME_ *password* _WORD_, or *default* instead
of *machine* _HOST_. Only its owner may be able to read the file. The environment variable *EVENKEEL_RAPI_CREDENTIALS* can also name such a file.
An ordinary cluster can be read without credentials. Passwords do not belong on a command line, where everybody on the machine can see them.`,
  },
  rapiCa: {
    ...FILE,
    help: 'trust only RAPI servers whose certificate is signed by one in FILE (PEM)',
    manual: `Trusts a RAPI server only when its certificate is signed by one of those in _FILE_ (PEM) and carries its name.`,
  },
  rapiFingerprint: {
    ...repeated('SHA256'),
    help: 'trust only the RAPI server whose certificate has this SHA-256 fingerprint (may be repeated)',
    manual: `Trusts a RAPI server only when its certificate has this SHA-256 fingerprint, with or without colons; nothing is sent to any other server. May be
given several times, for several clusters. On the master node, *openssl x509 -noout -fingerprint -sha256 -in /var/lib/ganeti/rapi.pem* prints it.`,
  },
  rapiInsecure: {
    help: 'send name and password to any RAPI server, whatever its certificate',
    manual: `Sends name and password to any RAPI server, as the stock programs do. Without this option, *--rapi-ca* and *--rapi-fingerprint*, they are
sent only to a server whose certificate one of the authorities that Node knows stands behind; Ganeti's own are self-signed.`,
  },
  connectTimeout: {
    ...float('SECONDS', { above: 0, atMost: LONGEST_SECONDS }),
    default: 15,
    unit: 's',
    help: 'give up when a server does not accept the connection within SECONDS',
    manual: `Gives up when a server does not accept the connection within _SECONDS_.`,
  },
  answerTimeout: {
    ...float('SECONDS', { above: 0, atMost: LONGEST_SECONDS }),
    default: 60,
    unit: 's',
    help: 'give up when a server has not answered a request within SECONDS',
    manual: `Gives up when the complete answer to a request has not arrived within _SECONDS_. Each request has this much time. An execution also waits so long for a master that is away.`,
  },
});
