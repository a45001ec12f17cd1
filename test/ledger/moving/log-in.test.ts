import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { BackendError } from '../../../src/kit/faults.ts';
import { logInWith } from '../../../src/ledger/moving/client.ts';
import { newFolder } from '../../builders/folder.ts';
import { FakeKeystone } from '../http/fake-keystone.ts';

describe('what a client of Placement logs in with', () => {
  let folder: string;
  let keystone: FakeKeystone;
  let url: string;
  const fileOf = (text: string): string => {
    const file = join(folder, 'openrc');
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const OWN = 'OS_USERNAME=placement\nexport OS_PROJECT_NAME="service"\n';

  before(async () => {
    folder = newFolder();
    keystone = new FakeKeystone();
    url = await keystone.start();
  });
  after(async () => {
    await keystone.stop();
  });

  it('gets a new token from Keystone each time', async () => {
    const logIn = logInWith(fileOf(`${OWN}OS_PASSWORD='secret'\nOS_AUTH_URL=${url}/v3/\n`));
    expect([await logIn(), await logIn()]).to.deep.equal(['own 1', 'own 2']);
  });

  it('is no matter of the file where Keystone is not there', async () => {
    const file = fileOf(`${OWN}OS_PASSWORD=secret\nOS_AUTH_URL=http://127.0.0.1:9\n`);
    const fault = await logInWith(file)().then(
      () => expect.fail('logged in'),
      (error) => error,
    );
    expect(fault).to.not.be.instanceOf(BackendError);
    expect(fault.message).to.match(/^no token from Keystone at http:\/\/127\.0\.0\.1:9: /);
  });

  it('says which file is wrong, and what is missing in it', async () => {
    const file = fileOf(`${OWN}OS_PASSWORD=wrong\nOS_AUTH_URL=${url}\n`);
    const fault = await logInWith(file)().then(
      () => expect.fail('logged in'),
      (error) => error,
    );
    expect(fault.message).to.contain('status 401');
    expect(fault.remedy).to.equal(`check ${file}`);
    expect(() => logInWith(fileOf(`${OWN}OS_PASSWORD=secret\n`))).to.throw('is missing');
  });

  it('is a token of the file, or the one that an open service takes', async () => {
    expect(await logInWith(fileOf('OS_TOKEN=abc\n'))()).to.equal('abc');
    expect(await logInWith(undefined)()).to.equal('admin');
  });
});
