import { expect } from 'chai';
import type { InputError } from '../../../src/kit/faults.ts';
import { callerFrom, Keystone } from '../../../src/ledger/http/door/keystone.ts';
import { readRights, USUAL_RIGHTS } from '../../../src/ledger/http/door/rights.ts';
import { AuthenticatorDown } from '../../../src/ledger/http/door/tokens.ts';
import { FakeKeystone } from './fake-keystone.ts';

const CREDENTIALS = {
  OS_USERNAME: 'placement',
  OS_PASSWORD: 'secret',
  OS_PROJECT_NAME: 'service',
  OS_USER_DOMAIN_NAME: 'Default',
  OS_PROJECT_DOMAIN_NAME: 'Default',
};
const HOUR = 3_600_000;

describe('tokens of Keystone', () => {
  let fake: FakeKeystone;
  let keystone: Keystone;
  let now: number;
  const holder = (role: string, more: object = { project: { id: 'p1' } }, endsAt = now + HOUR) => ({
    expires_at: new Date(endsAt).toISOString(),
    roles: [{ name: role }],
    user: { name: 'eve' },
    ...more,
  });
  const downOf = async (token: string): Promise<unknown> => {
    try {
      return await keystone.callerOf(token);
    } catch (error) {
      return error;
    }
  };

  beforeEach(async () => {
    now = Date.UTC(2026, 0, 1);
    fake = new FakeKeystone();
    keystone = new Keystone({
      url: await fake.start(),
      credentials: CREDENTIALS,
      rights: USUAL_RIGHTS,
      now: () => now,
    });
  });
  afterEach(() => fake.stop());

  it('give the rights of their roles', () => {
    const rightOf = (role: string, more?: object) => callerFrom(holder(role, more), USUAL_RIGHTS).role;
    expect(['admin', 'service', 'reader', 'member', 'other'].map((role) => rightOf(role))).to.deep.equal([
      'admin',
      'admin',
      'project',
      'project',
      undefined,
    ]);
    expect(rightOf('reader', { system: { all: true } })).to.equal('reader');
    expect(callerFrom(holder('reader'), USUAL_RIGHTS)).to.deep.equal({
      role: 'project',
      name: 'eve',
      project: 'p1',
    });
  });

  it('give the rights that a file says, by the first line that fits', () => {
    const rights = readRights(
      '# ours\n\ncloud_admin admin system\ncloud_admin  reader\nwatcher reader\nmember project',
      'roles',
    );
    const callerOf = (role: string, more?: object) => callerFrom(holder(role, more), rights);
    expect(callerOf('cloud_admin', { system: { all: true } }).role).to.equal('admin');
    expect(callerOf('cloud_admin').role).to.equal('reader');
    expect(callerOf('watcher', {}).role).to.equal('reader');
    expect(callerOf('member')).to.deep.equal({ role: 'project', name: 'eve', project: 'p1' });
    // A project's rights are of no use without a project.
    expect(callerOf('member', {}).role).to.equal(undefined);
    expect(callerOf('admin').role).to.equal(undefined);
  });

  it('say all that is wrong with a file of roles', () => {
    const problemsOf = (text: string): unknown => {
      try {
        return readRights(text, 'roles');
      } catch (error) {
        return (error as InputError).problems?.map(({ line, problem }) => [line, problem]);
      }
    };
    expect(problemsOf('admin everything\nreader\nmember project domain\nadmin admin system x')).to.deep.equal(
      [
        [1, 'no such right'],
        [2, 'a line is a role, a right and, if you like, a scope'],
        [3, 'no such scope'],
        [4, 'a line is a role, a right and, if you like, a scope'],
      ],
    );
    expect(problemsOf('# nobody\n')).to.deep.equal([[undefined, 'nothing is in it']]);
  });

  it('are asked for again where the clock was set back', async () => {
    fake.holders.set('t', holder('admin'));
    expect(await keystone.callerOf('t')).to.have.property('role', 'admin');
    fake.holders.delete('t');
    now -= HOUR;
    expect(await keystone.callerOf('t')).to.equal(undefined);
  });

  it('are asked for once in a while, and once for many at a time', async () => {
    fake.holders.set('t', holder('admin'));
    const found = await Promise.all(Array.from({ length: 20 }, () => keystone.callerOf('t')));
    expect(new Set(found.map((caller) => caller?.role))).to.deep.equal(new Set(['admin']));
    now += 29_000;
    await keystone.callerOf('t');
    expect(fake.asked).to.deep.equal(['log in', 't']);
    // Revoked: refused as soon as what was said before is no longer believed.
    fake.holders.delete('t');
    now += 2_000;
    expect(await keystone.callerOf('t')).to.equal(undefined);
    // A new one is known soon.
    fake.holders.set('t', holder('admin'));
    now += 6_000;
    expect((await keystone.callerOf('t'))?.role).to.equal('admin');
  });

  it('are asked for on a connection of their own', async () => {
    fake.isAbrupt = true;
    fake.holders.set('t', holder('admin'));
    fake.holders.set('u', holder('admin'));
    expect([(await keystone.callerOf('t'))?.role, (await keystone.callerOf('u'))?.role]).to.deep.equal([
      'admin',
      'admin',
    ]);
  });

  it('end when they say', async () => {
    fake.holders.set('t', holder('admin', {}, now + 10_000));
    expect((await keystone.callerOf('t'))?.role).to.equal('admin');
    now += 10_000;
    expect(await keystone.callerOf('t')).to.equal(undefined);
  });

  it('are asked for with a new token of our own when the old one has ended', async () => {
    fake.holders.set('t', holder('admin'));
    fake.holders.set('u', holder('reader', { system: { all: true } }));
    await keystone.callerOf('t');
    fake.endOwnToken();
    expect((await keystone.callerOf('u'))?.role).to.equal('reader');
    expect(fake.asked).to.deep.equal(['log in', 't', 'u', 'log in', 'u']);
  });

  it('go on until they end while Keystone is down, and others cannot be judged', async () => {
    fake.holders.set('t', holder('admin'));
    await keystone.callerOf('t');
    await fake.stop();
    now += HOUR / 2;
    expect((await keystone.callerOf('t'))?.role).to.equal('admin');
    expect(await downOf('u')).to.be.instanceOf(AuthenticatorDown);
    now += HOUR / 2;
    expect(await downOf('t')).to.be.instanceOf(AuthenticatorDown);
  });

  it('are asked for once in a while, too, while Keystone is down', async () => {
    fake.holders.set('t', holder('admin'));
    await keystone.callerOf('t');
    fake.isBusy = true;
    now += HOUR / 2;
    for (let i = 0; i < 3; i++) expect((await keystone.callerOf('t'))?.role).to.equal('admin');
    expect(fake.asked).to.deep.equal(['log in', 't', 't']);
    fake.isBusy = false;
    fake.holders.delete('t');
    now += 31_000;
    expect(await keystone.callerOf('t')).to.equal(undefined);
  });

  it('cannot be judged with wrong credentials, which is said', async () => {
    fake.password = 'changed';
    expect(String(await downOf('t'))).to.include("the service's own credentials are refused with status 401");
  });
});
