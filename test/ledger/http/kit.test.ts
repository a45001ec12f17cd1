import { expect } from 'chai';
import { InputError } from '../../../src/kit/faults.ts';
import { qualityOf, requireAcceptsJson, requireJson } from '../../../src/ledger/http/accept.ts';
import { ApiError } from '../../../src/ledger/http/api-error.ts';
import { RateLimit } from '../../../src/ledger/http/door/rate.ts';
import { newToken, OPEN, tokensIn } from '../../../src/ledger/http/door/tokens.ts';
import { readJson } from '../../../src/ledger/http/json-check.ts';
import { parseQueryString } from '../../../src/ledger/http/query-string.ts';

const refusalOf = (work: () => unknown): ApiError => {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('a query string', () => {
  it('keeps order and repeats', () => {
    expect(parseQueryString('?b=1&a=2;b=%2B+3&&c;d=%3B').pairs).to.deep.equal([
      ['b', '1'],
      ['a', '2'],
      ['b', '+ 3'],
      ['c', ''],
      ['d', ';'],
    ]);
  });

  it('names what cannot be decoded', () => {
    expect(parseQueryString('a=1&b=%zz&c=%ff').unreadable).to.deep.equal(['b=%zz', 'c=%ff']);
  });
});

describe('media types', () => {
  it('follow the most exact range', () => {
    expect(qualityOf('text/html,application/xml;q=0.9,*/*;q=0.8', 'application/json')).to.equal(0.8);
    expect(qualityOf('application/json;q=0, */*', 'application/json')).to.equal(0);
    expect(qualityOf(undefined, 'application/json')).to.equal(1);
  });

  it('are refused where nothing fits', () => {
    expect(refusalOf(() => requireAcceptsJson('text/plain')).status).to.equal(406);
    expect(refusalOf(() => requireJson(undefined)).message).to.equal(
      'The media type None is not supported, use application/json',
    );
    requireJson('Application/JSON; charset=utf-8');
  });
});

describe('a body', () => {
  const schema = {
    type: 'object',
    properties: { total: { type: 'integer', minimum: 1 }, name: { type: 'string', maxLength: 3 } },
    required: ['total'],
    additionalProperties: false,
  };

  const read = (text: string) => readJson(Buffer.from(text), schema);

  it('is refused when it is nested deeply, and names may have any brackets', () => {
    const deep = refusalOf(() => read(`{"total": ${'['.repeat(100_000)}`));
    expect([deep.status, deep.message]).to.deep.equal([
      400,
      'Malformed JSON: more than 100 levels of brackets',
    ]);
    const long = refusalOf(() => read(JSON.stringify({ total: 1, name: `"\\${'['.repeat(150)}` })));
    expect(long.message).to.match(/is too long/);
  });

  it('may have a text of many megabytes', () => {
    const long = refusalOf(() => read(JSON.stringify({ total: 1, name: '\\'.repeat(20_000_000) })));
    expect(long.message).to.match(/is too long/);
  });

  it('is refused when it is not UTF-8: else two names that differ would be kept as one', () => {
    const { status, message } = refusalOf(() =>
      readJson(Buffer.from('{"total": 1, "name": "\xff"}', 'latin1'), schema),
    );
    expect([status, message]).to.deep.equal([400, 'Malformed JSON: the body is not UTF-8']);
  });

  it('is told one fault where it is large', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, k) => [`k${k}`, 1]));
    const before = process.cpuUsage();
    const { message } = refusalOf(() => read(JSON.stringify({ total: 1, ...many })));
    expect(message).to.include("('k0' was unexpected)").and.not.to.include('k1');
    expect(process.cpuUsage(before).user).to.be.below(1_000_000);
  });

  it('is told all its faults at once', () => {
    const { message, status } = refusalOf(() => read('{"total": 0, "name": "long", "x": 1}'));
    expect(status).to.equal(400);
    for (const part of [
      'JSON does not validate: ',
      "'x' was unexpected",
      '0 is less than the minimum of 1',
      "'long' is too long",
      "['properties']['name']",
    ])
      expect(message).to.include(part);
  });

  it('has no numbers beyond all bounds, which would be kept as null', () => {
    for (const number of ['1e999', '-1e999'])
      expect(refusalOf(() => read(`{"total": ${number}}`)).message).to.match(
        /^JSON does not validate: -?Infinity is not of type 'integer'/,
      );
  });

  it('must be JSON', () => {
    expect(refusalOf(() => read('{"total": 1')).message).to.match(/^Malformed JSON: /);
  });
});

describe('tokens', () => {
  const TOKEN = '0123456789abcdef';

  it('give a caller a role and a name', () => {
    const tokens = tokensIn(`# who\n\n${TOKEN} reader watcher\n${TOKEN}x admin\n`, 'tokens', Date.now);
    expect(tokens.callerOf(TOKEN)).to.include({ role: 'reader', name: 'watcher' });
    expect(tokens.callerOf(`${TOKEN}x`)).to.include({ role: 'admin', name: 'line 4' });
    for (const wrong of ['', 'admin', TOKEN.slice(1), `${TOKEN} `, TOKEN.toUpperCase()])
      expect(tokens.callerOf(wrong), wrong).to.equal(undefined);
  });

  it('are refused with all faults of their file', () => {
    try {
      tokensIn(`${TOKEN} king\nshort admin\n${TOKEN}\n`, 'tokens', Date.now);
      expect.fail('accepted');
    } catch (error) {
      expect((error as InputError).problems.map(({ line }) => line)).to.deep.equal([1, 2, 3]);
    }
    expect(() => tokensIn('# nobody\n', 'tokens', Date.now)).to.throw(InputError);
  });

  it('are kept as digests, several for one caller, and end', () => {
    const [old, young] = [newToken('admin nova 2027-01-01'), newToken('admin nova')];
    expect(old.line)
      .to.match(/^sha256:[0-9a-f]{64} admin nova 2027-01-01$/)
      .and.not.to.include(old.token);
    let now = Date.UTC(2026, 11, 31);
    const tokens = tokensIn(`${old.line}\n${young.line}\n`, 'tokens', () => now);
    expect([old, young].map(({ token }) => tokens.callerOf(token)?.name)).to.deep.equal(['nova', 'nova']);
    // The digest itself opens nothing.
    expect(tokens.callerOf(old.line.split(' ')[0]!)).to.equal(undefined);
    now = Date.UTC(2027, 0, 1);
    expect([old, young].map(({ token }) => tokens.callerOf(token)?.name)).to.deep.equal([undefined, 'nova']);
  });

  it('are digests in letters of either case, and never what only looks like one', () => {
    const { token, line } = newToken('admin nova');
    const [digest] = line.split(' ');
    const loud = `sha256:${digest!.slice('sha256:'.length).toUpperCase()}`;
    const tokens = tokensIn(`${loud} admin nova\n`, 'tokens', Date.now);
    expect(tokens.callerOf(token)?.name).to.equal('nova');
    expect(tokens.callerOf(loud)).to.equal(undefined);
    expect(() => tokensIn(`${digest!.slice(0, -1)} admin nova\n`, 'tokens', Date.now))
      .to.throw(InputError)
      .with.nested.property('problems[0].problem', 'this is no digest');
  });

  it('have one role, and ends that are dates', () => {
    const problemOf = (text: string): string => {
      try {
        tokensIn(text, 'tokens', Date.now);
      } catch (error) {
        return (error as InputError).problems.map(({ line, problem }) => `${line}: ${problem}`).join();
      }
      return 'none';
    };
    const { token, line } = newToken('reader portal');
    expect(problemOf(`${line}\n${token} admin other\n`)).to.equal(
      '2: the token of portal is here again, with another role',
    );
    expect(problemOf(`${line}\n${token} reader other\n`)).to.equal('none');
    for (const end of ['tomorrow', '12.01.2027', '2027-02-29', '2027-1-1', '2027-01-01T10:00', '2027'])
      expect(problemOf(`${token} reader portal ${end}\n`), end).to.equal('1: no date');
    for (const end of ['2028-02-29', '2027-01-01T10:00Z', '2027-01-01T10:00:00.5+02:00'])
      expect(problemOf(`${token} reader portal ${end}\n`), end).to.equal('none');
    expect(() => newToken('king')).to.throw(InputError);
  });

  it('of others are nobody’s on a trial', () => {
    expect(OPEN.callerOf('gAAAAABsecret')).to.equal(undefined);
  });

  it('need no file on a trial', () => {
    expect(OPEN.callerOf('admin:shop')?.role).to.equal('admin');
    expect(OPEN.callerOf('user')).to.deep.equal({ role: undefined, name: 'user' });
  });
});

describe('the limit of requests', () => {
  it('lets ten seconds of requests through at once, then as many as the rate', () => {
    const limit = new RateLimit(2);
    const passed = (now: number): number => {
      let count = 0;
      while (limit.secondsToWait('a', now) === 0) count++;
      return count;
    };
    expect([passed(0), passed(1000), passed(1100), limit.secondsToWait('b', 1100)]).to.deep.equal([
      20, 2, 0, 0,
    ]);
    expect(limit.secondsToWait('a', 1100)).to.be.closeTo(0.4, 0.01);
  });

  it('remembers only so many clients', () => {
    const limit = new RateLimit(1);
    for (let n = 0; n < 30_000; n++) limit.secondsToWait(`client ${n}`, 0);
    expect((limit as unknown as { buckets: Map<string, unknown> }).buckets.size).to.be.at.most(10_000);
  });
});
