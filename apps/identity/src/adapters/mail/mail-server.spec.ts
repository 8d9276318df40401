import { expect, it } from '@jest/globals';
import { Config } from '@parlance/config';
import { MailServer } from './mail-server.ts';

it('a start with requireVerifiedEmail is refused without a mail server, with an explanation', () => {
  const config = (settings: Partial<Config>) => Object.assign(new Config(), settings);
  expect(() => new MailServer(config({ requireVerifiedEmail: true }))).toThrow(
    'The key requireVerifiedEmail needs a mail server. Set smtpUrl and mailFrom, or set requireVerifiedEmail to false.',
  );
  const mail = { smtpUrl: 'smtp://relay.example.org', mailFrom: 'no-reply@example.org' };
  expect(new MailServer(config({ requireVerifiedEmail: true, ...mail })).isOn).toBe(true);
  expect(new MailServer(config({})).isOn).toBe(false);
});
