/** Servers that are broken or mean harm, one talk for each kind, over LUXI's bare frames and over HTTP. */
import type { Socket } from 'node:net';
import { type HttpReply, httpTalk, recordedLuxi, recordedRapi } from '../../../test/htools/ganeti/play.ts';

export type Talk = (socket: Socket) => void;

const END = '\x03';
const PIECE = Buffer.alloc(64 * 1024, '[');
const DROP_MS = 100;
const DEPTH = 200_000;
const HTTP_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** Says something once it is spoken to. */
const saying =
  (bytes: string | Buffer, isLast = false): Talk =>
  (socket) => {
    socket.on('data', () => (isLast ? socket.end(bytes) : socket.write(bytes)));
  };

/** Never stops; as fast as it is read. */
const endless =
  (head: string, piece: Buffer): Talk =>
  (socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', more);
    socket.once('data', () => {
      socket.write(head);
      more();
    });
  };

/** A byte now and then, for ever. */
const dropping =
  (head: string): Talk =>
  (socket) => {
    const timer = setInterval(() => socket.write('['), DROP_MS);
    socket.on('close', () => clearInterval(timer));
    socket.once('data', () => socket.write(head));
  };

const luxiAnswer = (text: string | Buffer): Talk =>
  saying(Buffer.concat([Buffer.from(text), Buffer.from(END)]));
const result = (json: string): Talk => luxiAnswer(`{"success":true,"result":${json}}`);

/** The recorded cluster's answers, spoiled. */
const luxiSpoiled =
  (spoil: (answer: string) => string): Talk =>
  (socket) => {
    const answer = recordedLuxi('healthy');
    let text = '';
    socket.on('data', (piece) => {
      text += piece;
      for (let at = text.indexOf(END); at >= 0; at = text.indexOf(END)) {
        socket.write(`${spoil(answer(JSON.parse(text.slice(0, at))))}${END}`);
        text = text.slice(at + 1);
      }
    });
  };
const rapiSpoiled = (spoil: (body: string) => string): Talk => {
  const reply = recordedRapi('healthy');
  return httpTalk((request) => ({ body: spoil(`${reply(request).body}`) }));
};
const rapiReply = (reply: HttpReply): Talk => httpTalk(() => reply);

/** Numbers that no cluster has, one of each in all records. */
const NUMBERS = [
  '1e308',
  '-1',
  '9007199254740993',
  '123456789012345678901234567890',

  '"65536"',
  'null',
  '{}',
];

const nestedDeeply = '['.repeat(DEPTH);

export const LUXI_TALKS: Readonly<Record<string, Talk>> = {
  'never answers': () => {},
  'hangs in the middle': saying('{"success":true,"result":'),
  'answers in drops': dropping('{"success":'),
  'answers without end': endless('{"success":true,"result":', PIECE),
  'hangs up': saying('', true),
  'hangs up in the middle': saying('{"success":true,"re', true),
  'answers twice': saying(`{"success":true,"result":1}${END}{"success":true}${END}`),
  'speaks HTTP': saying('HTTP/1.1 400 Bad Request\r\n\r\n', true),
  'says no, in Latin-1 and with escapes': luxiAnswer(
    Buffer.from('{"success":false,"result":"n\xe9 \\u001b[2J\\u0007"}', 'latin1'),
  ),
  'answers with nothing': luxiAnswer(''),
  'answers with a number': luxiAnswer('12'),
  'nests without end': luxiAnswer(nestedDeeply),
  'answers with rows of other lengths': result('{"fields":[],"data":[[[0,"x"]],[]]}'),
  'answers with cells that are none': result('{"fields":[],"data":[[1,2,3]]}'),
  'answers with a text': result('"later"'),
  'answers with null': result('null'),
  'knows no field': luxiSpoiled((answer) => answer.replaceAll(/\[0,/g, '[1,')),
  'has all names alike': luxiSpoiled((answer) =>
    answer.replaceAll(/(node|inst)\d+\.example\.com/g, 'same.example.com'),
  ),
  ...Object.fromEntries(
    NUMBERS.map((number) => [
      `has ${number} of everything`,
      luxiSpoiled((answer) => answer.replaceAll(/\[0, ?\d+\]/g, `[0,${number}]`)),
    ]),
  ),
};

export const RAPI_TALKS: Readonly<Record<string, Talk>> = {
  'never answers': () => {},
  'hangs in the head': saying('HTTP/1.1 200 OK\r\nContent-'),
  'hangs in the middle': saying(`${HTTP_HEAD}Content-Length: 100\r\n\r\n[{`),
  'answers in drops': dropping(`${HTTP_HEAD}\r\n`),
  'answers without end': endless(`${HTTP_HEAD}\r\n`, PIECE),
  'has a head without end': endless('HTTP/1.1 200 OK\r\n', Buffer.from('X-More: yes\r\n'.repeat(1000))),
  'hangs up': saying('', true),
  'hangs up in the middle': saying(`${HTTP_HEAD}Content-Length: 100\r\n\r\n[{`, true),
  'speaks SMTP': saying('220 mail.example.com ESMTP\r\n', true),
  'has a negative length': saying(`${HTTP_HEAD}Content-Length: -5\r\n\r\n[]`, true),
  'has a broken chunk': saying(`${HTTP_HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n[]`, true),
  'sends us elsewhere': rapiReply({ status: 302, headers: { Location: 'https://127.0.0.1:1/' }, body: '' }),
  'wants a password': rapiReply({ status: 401, body: '{"code":401,"message":"Unauthorized"}' }),
  'has a fault, with escapes': rapiReply({
    status: 500,
    body: '{"message":"\\u001b[2J","explain":"\\u0007"}',
  }),
  'is busy': rapiReply({ status: 503, body: 'later' }),
  'answers with nothing': rapiReply({ body: '' }),
  'answers with half a list': rapiReply({ body: '[{"name":"a"' }),
  'answers with records that are none': rapiReply({ body: '[1,null,"x"]' }),
  'nests without end': rapiReply({ body: nestedDeeply }),
  'has all names alike': rapiSpoiled((body) =>
    body.replaceAll(/(node|inst)\d+\.example\.com/g, 'same.example.com'),
  ),
  ...Object.fromEntries(
    NUMBERS.map((number) => [
      `has ${number} of everything`,
      rapiSpoiled((body) => body.replaceAll(/: ?\d+\b/g, `: ${number}`)),
    ]),
  ),
};

/** What a master answers about jobs, when it has gone mad in the middle of an execution. */
export const JOB_TALKS: Readonly<Record<string, Talk>> = Object.fromEntries(
  Object.entries(LUXI_TALKS)
    .filter(([name]) => !name.startsWith('has ') && !name.startsWith('knows '))
    .concat([
      ['takes none of the jobs', result('[]')],
      ['gives jobs no numbers', result('[[true,"one"]]')],
      ['gives jobs numbers beyond measure', result('[[true,1e300],[true,-4]]')],
      ['knows other states', result('[["exploded"]]')],
    ]),
);
